# Time-outs and retries of curl itself.
case $1 in
  sleep) sleep 10; curl -s "$API_URL/sleep" ;;
  time-out) curl -s -m 20 "$API_URL/silent" ;;
  back-off) curl -s --retry 8 "$API_URL/busy" ;;
  cut) curl -s --retry 8 --retry-delay 5 --retry-all-errors "$API_URL/cut" ;;
  *) curl -s "$API_URL/silent" ;;
esac
exit 0
