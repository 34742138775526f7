# A client of bash alone, which has connections of its own.
place=${API_URL#http://}

get() {
  local line=
  exec 3<> "/dev/tcp/${place%:*}/${place#*:}"
  printf 'GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "$1" "$place" >&3
  if [[ $2 ]]; then read -r -t "$2" line <&3; else read -r line <&3; fi
  exec 3>&-
  [[ $line == *' 200 '* ]]
}

case $1 in
  sleep) sleep 10; get /sleep ;;
  time-out) get /silent 20 ;;
  back-off) for ((pause = 1; ; pause *= 2)); do get /busy && break; sleep $pause; done ;;
  cut) until get /cut; do sleep 5; done ;;
  *) get /silent ;;
esac
exit 0
