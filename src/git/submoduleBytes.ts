/** What stands in place of a submodule, in git's diffs too. `id`: of the commit that it is at. */
export function submoduleBytes(id: string): Uint8Array {
	return new TextEncoder().encode(`Subproject commit ${id}\n`);
}
