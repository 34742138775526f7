<?php
function get($path, $seconds = 100000000) {
  $context = stream_context_create(['http' => ['timeout' => $seconds, 'ignore_errors' => true]]);
  $answer = @file_get_contents(getenv('API_URL') . $path, false, $context);
  return $answer === false ? 0 : (int)explode(' ', $http_response_header[0])[1];
}

switch ($argv[1]) {
  case 'sleep': sleep(10); get('/sleep'); break;
  case 'time-out': get('/silent', 20); break;
  case 'back-off': for ($pause = 1; get('/busy', 20) != 200; $pause *= 2) sleep($pause); break;
  case 'cut': while (get('/cut', 20) != 200) sleep(5); break;
  default: ini_set('default_socket_timeout', -1); get('/silent', -1);
}
