import type { RepositoryApi } from '../../../forge/forge.ts';
import { ForgeError, isForgeError, type Problem } from '../../../forge/forgeError.ts';
import { repositoryRefText, type Blob, type RepositoryRef, type TreePath } from '../../../forge/repository.ts';
import type { KeptNames } from '../../shared/keptNames.ts';

/**
 * How a file is asked for: by its id as the contract has it, by its id as running servers spell it
 * (docs/protocol.md#files-by-id), or by commit and path.
 */
const ways = ['id', 'otherId', 'path'] as const;
type Way = (typeof ways)[number];

export interface BlobWaysParts {
	readonly api: Pick<RepositoryApi, 'blob' | 'blobById' | 'blobByOtherId'>;
	/** True for one's own repositories, whose route by id every server has. */
	readonly isMine: (ref: RepositoryRef) => boolean;
	/** What this server turned out to have for others' repositories. */
	readonly kept: KeptNames;
	/** Throws for a content that is not what the id says, so that it teaches nothing. */
	readonly check: (id: string, blob: Blob, signal: AbortSignal) => Promise<Blob>;
}

/** What is asked for. */
export interface WantedBlob {
	readonly ref: RepositoryRef;
	readonly id: string;
	/** Where it stands, at a full commit id; `undefined` when nobody knows. */
	readonly at: TreePath | undefined;
}

/**
 * Reads files by the way that the server has. Others' repositories are tried once, and whoever wants another file
 * meanwhile waits for that one trial; what it showed is remembered for the server.
 */
export class BlobWays {
	readonly #parts: BlobWaysParts;
	#known: Way | undefined;
	#trial: Promise<void> | undefined;

	constructor(parts: BlobWaysParts) {
		this.#parts = parts;
		this.#known = ways.find((way) => parts.kept.all().includes(way));
	}

	/** False where files are known to be given out by their ids. */
	needsPlaces(ref: RepositoryRef): boolean {
		return !this.#parts.isMine(ref) && (this.#known === undefined || this.#known === 'path');
	}

	async read(wanted: WantedBlob, signal: AbortSignal): Promise<Blob> {
		if (this.#parts.isMine(wanted.ref)) {
			return (await this.#try('id', wanted, signal)) ?? (await this.#tryAll(['path'], wanted, signal)).blob;
		}
		while (this.#known === undefined && this.#trial) {
			await this.#trial;
			signal.throwIfAborted();
		}
		return this.#known === undefined ? this.#learn(wanted, signal) : this.#readBy(this.#known, wanted, signal);
	}

	async #readBy(known: Way, wanted: WantedBlob, signal: AbortSignal): Promise<Blob> {
		const others = ways.filter((way) => way !== known);
		return (await this.#try(known, wanted, signal)) ?? (await this.#tryAll(others, wanted, signal)).blob;
	}

	async #learn(wanted: WantedBlob, signal: AbortSignal): Promise<Blob> {
		const trial = Promise.withResolvers<void>();
		this.#trial = trial.promise;
		try {
			const { way, blob } = await this.#tryAll(ways, wanted, signal);
			this.#known = way;
			this.#parts.kept.keep([way]).catch(() => undefined);
			return blob;
		} finally {
			this.#trial = undefined;
			trial.resolve();
		}
	}

	async #tryAll(
		inTurn: readonly Way[],
		wanted: WantedBlob,
		signal: AbortSignal,
	): Promise<{ readonly way: Way; readonly blob: Blob }> {
		let failure = new ForgeError({ kind: 'notFound' });
		for (const way of inTurn) {
			try {
				const blob = await this.#try(way, wanted, signal);
				if (blob) {
					return { way, blob };
				}
			} catch (error) {
				if (!isForgeError(error) || !saysNoSuchRoute.has(error.problem.kind)) {
					throw error;
				}
				failure = error;
			}
		}
		throw failure;
	}

	/** `undefined` when nothing is found this way, be it for want of the file or of the route. */
	async #try(way: Way, { ref, id, at }: WantedBlob, signal: AbortSignal): Promise<Blob | undefined> {
		try {
			switch (way) {
				case 'id':
					return await this.#parts.check(id, await this.#parts.api.blobById(ref, id, signal), signal);
				case 'otherId': {
					const blob = await this.#parts.api.blobByOtherId?.(ref, id, signal);
					return blob && (await this.#parts.check(id, blob, signal));
				}
				case 'path':
					return at && (await this.#parts.check(id, await this.#parts.api.blob(ref, at, signal), signal));
			}
		} catch (error) {
			if (isForgeError(error) && error.problem.kind === 'notFound') {
				return undefined;
			}
			throw error;
		}
	}
}

/** What servers answer where they have no such route, each in its own way. Another way may still lead there. */
const saysNoSuchRoute: ReadonlySet<Problem['kind']> = new Set([
	'invalid',
	'serverError',
	'notUnderstood',
	'notOffered',
]);

/** By repository as well: what one of them sends is never shown as another's. */
export function objectKey(ref: RepositoryRef, id: string): string {
	return `${repositoryRefText(ref)} ${id}`;
}
