import StateGraph
import Testing

// The code of the article.

final class RegistrationForm {
  @GraphStored var email = ""
  @GraphStored var password = ""
  @GraphComputed var isComplete: Bool

  init() {
    $isComplete = .init { [$email, $password] _ in
      $email.wrappedValue.contains("@") && $password.wrappedValue.count >= 8
    }
  }
}

func followButton(of form: RegistrationForm, _ show: @escaping (Bool) -> Void) -> AnyCancellable {
  withGraphTracking {
    form.$isComplete.onChange { show($0) }
  }
}

func waitUntilComplete(_ states: NodeStream<Bool>) async {
  for await isComplete in states where isComplete { return }
}

@Suite struct FormValidationArticleTests {
  @Test func `the button follows the fields`() async {
    let form = RegistrationForm()
    var shown: [Bool] = []
    let token = followButton(of: form) { shown.append($0) }
    let states = form.$isComplete.observe()
    form.email = "a@b"
    form.password = "12345678"
    form.password = "123456789"
    await waitUntilComplete(states)
    #expect(shown == [false, true])
    token.cancel()
  }
}
