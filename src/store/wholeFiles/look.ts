import { stepsOf } from '../repositories/repositoryEntries.ts';
import { walkLimits } from '../repositories/repositoryWalk.ts';
import type { SteppedPath } from './entriesAt.ts';
import { wantedKey, type FileSources, type FoundFile, type Missing, type Origin, type WantedFile } from './preImage.ts';

/** State of one search: results and remaining files. */
export class Look {
	readonly results = new Map<string, FoundFile>();
	readonly #sources: FileSources;
	readonly #left: Map<string, WantedFile>;

	constructor(wanted: readonly WantedFile[], sources: FileSources) {
		this.#sources = sources;
		this.#left = new Map(wanted.map((each) => [wantedKey(each), each]));
		this.leaveOut('badPath', (each) => stepped(each).length === 0);
	}

	left(): readonly WantedFile[] {
		return [...this.#left.values()];
	}

	settle(wanted: WantedFile, found: FoundFile): void {
		const key = wantedKey(wanted);
		if (this.#left.delete(key)) {
			this.results.set(key, found);
		}
	}

	exact(wanted: WantedFile, content: Uint8Array, origin: Origin): void {
		if (wanted.id !== undefined && origin !== 'found before') {
			this.#sources.before?.note(wanted.id, content);
		}
		this.settle(wanted, { kind: 'exact', content, origin });
	}

	leaveOut(missing: Missing, isOut: (wanted: WantedFile) => boolean): void {
		for (const each of this.left().filter(isOut)) {
			this.settle(each, { kind: 'none', missing });
		}
	}

	giveUp(missing: Missing, error?: unknown): void {
		for (const each of this.left()) {
			this.settle(each, { kind: 'none', missing, ...(error === undefined ? {} : { error }) });
		}
	}

	async before(): Promise<void> {
		for (const each of this.left()) {
			const content = each.id === undefined ? undefined : await this.#sources.before?.content(each.id);
			if (content) {
				this.exact(each, content, 'found before');
			}
		}
	}

	async inClone(signal: AbortSignal): Promise<void> {
		const ids = new Set(this.left().flatMap(({ id }) => (id === undefined ? [] : [id])));
		const contents = ids.size === 0 ? undefined : await this.#sources.clone?.contents([...ids], signal);
		for (const each of contents ? this.left() : []) {
			const content = each.id === undefined ? undefined : contents?.get(each.id);
			if (content) {
				this.exact(each, content, 'clone');
			}
		}
	}
}

/** Path segments; empty for an invalid path. */
export function stepped({ path }: Pick<WantedFile, 'path'>): readonly SteppedPath[] {
	const steps = stepsOf(path, walkLimits.depth);
	return steps && steps.length > 0 ? [{ path, steps }] : [];
}
