struct CatFact { var fact = "" }
struct CatFactService { func getRandomCatFact() async throws -> CatFact { CatFact() } }
// BLOCK
