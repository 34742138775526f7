package struct CELProgram: Sendable {}
package struct CELPattern: Sendable {}
