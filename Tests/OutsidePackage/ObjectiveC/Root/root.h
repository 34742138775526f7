#pragma clang attribute push(__attribute__((swift_attr("@MainActor"))), apply_to = objc_interface)
__attribute__((objc_root_class)) @interface NSObject
- (instancetype)init;
@end
#pragma clang attribute pop
