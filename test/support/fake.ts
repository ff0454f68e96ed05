/** An object with only these members of a type: a test that reaches another member fails there. */
export function fake<T extends object>(members: Partial<NoInfer<T>>): T;
export function fake(members: object): object {
	return members;
}
