package gate

import "testing"

func TestOriginIsOnlyTheRunnersRepository(t *testing.T) {
	tests := []struct {
		remote, server, repository string
		want                       bool
	}{
		{"https://github.com/octo/app", "", "octo/app", true},
		{"https://github.com/octo/app.git", "", "Octo/App", true},
		{"https://x-access-token:secret@github.com/octo/app/", "", "octo/app", true},
		{"git@github.com:octo/app.git", "", "octo/app", true},
		{"ssh://git@github.com:22/octo/app.git", "", "octo/app", true},
		{"https://ghe.example.com/octo/app", "https://ghe.example.com", "octo/app", true},
		{"https://ghe.example.com/git/octo/app", "https://ghe.example.com/git", "octo/app", true},
		{"https://github.com/fork/app", "", "octo/app", false},
		{"https://evil.example.com/octo/app", "", "octo/app", false},
		{"https://github.com.evil.example/octo/app", "", "octo/app", false},
		{"https://evil.example/https://github.com/octo/app", "", "octo/app", false},
		{"file:///octo/app", "", "octo/app", false},
		{"/srv/github.com:octo/app", "", "octo/app", false},
		{"../octo/app", "", "octo/app", false},
		{"ext::sh -c true", "", "octo/app", false},
		{"", "", "octo/app", false},
		{"https://github.com/octo/app", "", "", false},
	}
	for _, tt := range tests {
		if got := isOrigin(tt.remote, tt.server, tt.repository); got != tt.want {
			t.Errorf("isOrigin(%q, %q, %q) = %v, want %v", tt.remote, tt.server, tt.repository, got, tt.want)
		}
	}
}
