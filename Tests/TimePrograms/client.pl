use strict;
use IO::Socket::INET;

my ($place) = $ENV{API_URL} =~ m{//(.*)};

sub get {
  my ($path, $seconds) = @_;
  my $status = 0;
  eval {
    local $SIG{ALRM} = sub { die };
    alarm $seconds if $seconds;
    my $socket = IO::Socket::INET->new(PeerAddr => $place) or die;
    print $socket "GET $path HTTP/1.1\r\nHost: $place\r\nConnection: close\r\n\r\n";
    my $line = <$socket> // '';
    ($status) = $line =~ /^HTTP\S* (\d+)/;
    alarm 0;
  };
  return $status // 0;
}

my $case = shift;
if ($case eq 'sleep') { sleep 10; get('/sleep') }
elsif ($case eq 'time-out') { get('/silent', 20) }
elsif ($case eq 'back-off') { for (my $pause = 1; get('/busy') != 200; $pause *= 2) { sleep $pause } }
elsif ($case eq 'cut') { sleep 5 while get('/cut') != 200 }
else { get('/silent') }
