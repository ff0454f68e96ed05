import { Pool } from 'undici';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import type { TreePath } from 'sourcehut/port/repository.ts';
import type { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import type { RepositorySources } from '../../src/store/repositories/repositorySources.ts';
import { openAccount } from './packagedNet.ts';

/** Trees requested at a time, by the walk and by the bare loop. */
const connections = 64;

export const many = { owner: '~alice', name: 'many' } as const;

/** The fields that the bare loop needs, unchecked. */
interface BareTree {
	readonly entries: readonly { readonly name: string; readonly id: string; readonly type: string }[];
}

interface Walked {
	readonly folders: number;
	readonly files: number;
}

/** A forge with one big repository, and two ways to it. Disposing ends everything. */
export interface BigRepository extends AsyncDisposable {
	readonly api: RepositoryApi;
	/** The store of a new window, with empty caches unless `parts` fills them. The caller disposes of it. */
	openStore(parts?: Partial<RepositorySources>): RepositoryStore;
	/** Everything below the root of a revision, by the store. */
	walk(store: RepositoryStore, revision: string): Promise<Walked>;
	/** The same by undici and `JSON.parse`, with as many connections. */
	bareWalk(): Promise<Walked>;
	/** One request as the application sends it; `path` below the repository's own. */
	bare(path: string): Promise<void>;
	requestsOf(work: () => Promise<unknown>): Promise<number>;
}

/** Starts the sample forge in a separate process, with a repository of `files` files. */
export async function bigRepository(files: number, latencyMs: number): Promise<BigRepository> {
	await using starting = new AsyncDisposableStack();
	const { forge, connected, headers, openStore } = await openAccount(starting, { files, latencyMs });
	const pool = new Pool(forge.areas.git, { connections });
	starting.defer(() => pool.close());

	async function bareTree(path: string): Promise<BareTree> {
		const { body } = await pool.request({ method: 'GET', path: `/api/repos/many/${path}`, headers });
		// The baseline checks nothing.
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion
		return JSON.parse(await body.text()) as BareTree;
	}

	const owned = starting.move();
	return {
		api: connected.repositories,
		openStore,
		async walk(store, revision) {
			const walked = { folders: 0, files: 0 };
			const at: TreePath = { ref: revision, path: '' };
			for await (const step of store.folders.walk(many, at, new AbortController().signal)) {
				if (step.kind === 'leftOut') {
					throw new Error('The walk left something out');
				}
				walked.folders += 1;
				walked.files += step.entries.filter(({ type }) => type !== 'tree').length;
			}
			return walked;
		},
		async bareWalk() {
			const walked = { folders: 0, files: 0 };
			const take = async (tree: Promise<BareTree>): Promise<void> => {
				const { entries } = await tree;
				const below = entries.filter(({ type }) => type === 'tree');
				walked.folders += 1;
				walked.files += entries.length - below.length;
				await Promise.all(below.map(({ id }) => take(bareTree(`tree/${id}`))));
			};
			await take(bareTree('tree'));
			return walked;
		},
		async bare(path) {
			const { body } = await pool.request({ method: 'GET', path: `/api/repos/many/${path}`, headers });
			await body.arrayBuffer();
		},
		async requestsOf(work) {
			await forge.forgetRequests();
			await work();
			return await forge.requestCount();
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
