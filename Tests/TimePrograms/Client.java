import java.net.URI;
import java.net.http.*;
import java.time.Duration;

public class Client {
  static final HttpClient client = HttpClient.newHttpClient();

  static int get(String path, int seconds) throws InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(System.getenv("API_URL") + path));
    if (seconds > 0) request.timeout(Duration.ofSeconds(seconds));
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode();
    } catch (java.io.IOException error) {
      return 0;
    }
  }

  public static void main(String[] words) throws Exception {
    switch (words[0]) {
      case "sleep" -> { Thread.sleep(10_000); get("/sleep", 20); }
      case "time-out" -> get("/silent", 20);
      case "back-off" -> {
        for (long pause = 1_000; get("/busy", 20) != 200; pause *= 2) Thread.sleep(pause);
      }
      case "cut" -> { while (get("/cut", 20) != 200) Thread.sleep(5_000); }
      default -> get("/silent", 0);
    }
    System.exit(0);
  }
}
