/** Lets a stand-in pass for a type of the editor that cannot be made outside it. The test is to see that it suffices. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says which type is meant
export function standFor<T>(standIn: unknown): T {
	if (!passes<T>(standIn)) {
		throw new Error('Never happens');
	}
	return standIn;
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as above
function passes<T>(standIn: unknown): standIn is T {
	return standIn !== undefined;
}
