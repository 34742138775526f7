require 'net/http'

def get(path, seconds = nil)
  place = URI(ENV['API_URL'] + path)
  http = Net::HTTP.new(place.host, place.port)
  http.read_timeout = seconds
  http.max_retries = 0
  http.get(place.path).code.to_i
rescue StandardError
  0
end

case ARGV[0]
when 'sleep' then sleep 10; get('/sleep')
when 'time-out' then get('/silent', 20)
when 'back-off'
  pause = 1
  until get('/busy', 20) == 200
    sleep pause
    pause *= 2
  end
when 'cut' then sleep 5 until get('/cut', 20) == 200
else get('/silent')
end
