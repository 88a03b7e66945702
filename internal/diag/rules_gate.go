package diag

var gateRules = []Rule{}
