/** Casts a partial object to an editor type that only the editor can create. The test shows whether it suffices. */
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
