# client.pl ADDRESS CLIENTS REQUESTS: so many clients at once, each asks so often and looks
# at the answers.
use strict;
use warnings;
use IO::Socket::INET;

my ($address, $clients, $requests) = @ARGV;
my @children;
for my $client (1 .. $clients) {
    my $child = fork() // die "fork: $!";
    if ($child) {
        push @children, $child;
        next;
    }
    my $socket = IO::Socket::INET->new(PeerAddr => $address, Timeout => 60) or die "$address: $!";
    $socket->autoflush(1);
    for (my $i = 0; $i < $requests; $i += 2) {
        my ($key, $value) = ("key$client.$i", "value " . $i * $client);
        printf $socket "set %s 0 0 %d\r\n%s\r\n", $key, length $value, $value;
        my $line = <$socket> // '';
        die "set: $line" if $line ne "STORED\r\n";
        print $socket "get $key\r\n";
        my @lines = map { scalar(<$socket>) // '' } 1 .. 3;
        die "get: @lines" if $lines[1] ne "$value\r\n" || $lines[2] ne "END\r\n";
    }
    exit 0;
}
my $failed = 0;
for my $child (@children) {
    waitpid($child, 0);
    $failed++ if $?;
}
print $clients * $requests, " requests, $failed clients failed\n";
exit($failed ? 1 : 0);
