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
		{"https://github.com:443/octo/app", "", "octo/app", true},
		{"https://github.com/octo/app", "https://github.com:443", "octo/app", true},
		{"https://ghe.example.com:8443/octo/app", "https://ghe.example.com:8443", "octo/app", true},
		{"http://127.0.0.1:3000/octo/app", "http://127.0.0.1:3000", "octo/app", true},
		{"http://localhost:80/octo/app", "http://localhost", "octo/app", true},
		{"http://[::1]:3000/octo/app", "http://[::1]:3000", "octo/app", true},
		{"ssh://git@ghe.example.com/octo/app", "https://ghe.example.com:8443", "octo/app", true},
		{"git@ghe.example.com:octo/app", "https://ghe.example.com:8443", "octo/app", true},
		{"[git@github.com:22]:octo/app.git", "", "octo/app", true},
		{"[github.com]:octo/app", "", "octo/app", true},
		{"git@[::1]:octo/app", "http://[::1]:3000", "octo/app", true},
		{"git://github.com/octo/app", "", "octo/app", true},
		{"https://github.com:8443/octo/app", "", "octo/app", false},
		{"https://ghe.example.com/octo/app", "https://ghe.example.com:8443", "octo/app", false},
		{"https://ghe.example.com:8444/octo/app", "https://ghe.example.com:8443", "octo/app", false},
		{"http://127.0.0.1:3001/octo/app", "http://127.0.0.1:3000", "octo/app", false},
		{"http://github.com/octo/app", "", "octo/app", false},
		{"ssh://git@github.com:2222/octo/app", "", "octo/app", false},
		{"ssh://git@ghe.example.com:8443/octo/app", "https://ghe.example.com:8443", "octo/app", false},
		{"[git@github.com:2222]:octo/app.git", "", "octo/app", false},
		{"git@github.com:22/octo/app", "", "octo/app", false},
		{"git://github.com:1/octo/app", "", "octo/app", false},
		{"https://github.com:x/octo/app", "", "octo/app", false},
		{"https://github.com/fork/app", "", "octo/app", false},
		{"https://evil.example.com/octo/app", "", "octo/app", false},
		{"https://github.com.evil.example/octo/app", "", "octo/app", false},
		{"https://evil.example/https://github.com/octo/app", "", "octo/app", false},
		{"file:///octo/app", "", "octo/app", false},
		{"/srv/github.com:octo/app", "", "octo/app", false},
		{"../octo/app", "", "octo/app", false},
		{"ext::sh -c true", "", "octo/app", false},
		{"[git@github.com:22", "", "octo/app", false},
		{"[]:octo/app", "", "octo/app", false},
		{"/srv/[github.com]:octo/app", "", "octo/app", false},
		{"", "", "octo/app", false},
		{"https://github.com/octo/app", "", "", false},
	}
	for _, tt := range tests {
		if got := isOrigin(tt.remote, tt.server, tt.repository); got != tt.want {
			t.Errorf("isOrigin(%q, %q, %q) = %v, want %v", tt.remote, tt.server, tt.repository, got, tt.want)
		}
	}
}
