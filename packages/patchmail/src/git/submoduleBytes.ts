/** Content that git's diffs show for a submodule. `id`: its commit. */
export function submoduleBytes(id: string): Uint8Array {
	return new TextEncoder().encode(`Subproject commit ${id}\n`);
}
