import { Pool } from 'undici';
import type { RepositoryApi } from '../../src/forge/forge.ts';
import type { TreePath } from '../../src/forge/repository.ts';
import type { RepositoryStore, RepositoryStoreParts } from '../../src/state/repositories/repositoryStore.ts';
import { sampleInstance } from '../support/fakeConnection.ts';
import { storeOver } from '../support/repositoryAccount.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { openPackagedNet } from './packagedNet.ts';

/** As many trees as this are asked for at a time, by the walk and by the bare loop. */
export const connections = 64;

export const many = { owner: '~alice', name: 'many' } as const;

/** What the bare loop needs of a tree; nothing of it is checked. */
interface BareTree {
	readonly entries: readonly { readonly name: string; readonly id: string; readonly type: string }[];
}

export interface Walked {
	readonly folders: number;
	readonly files: number;
}

/** A forge with one big repository, and two ways to it. Disposing ends everything. */
export interface BigRepository extends AsyncDisposable {
	readonly forge: SampleForge;
	readonly api: RepositoryApi;
	/** What a new window knows: nothing but what `parts` brings. The caller disposes of it. */
	openStore(parts?: Partial<RepositoryStoreParts>): RepositoryStore;
	/** Everything below the root of a revision, by the store. */
	walk(store: RepositoryStore, revision: string): Promise<Walked>;
	/** The same by undici and `JSON.parse` alone, with as many connections. */
	bareWalk(): Promise<Walked>;
	/** One request as the application sends it; `path` below the repository's own. */
	bare(path: string): Promise<void>;
	/** How many requests some work takes. */
	requestsOf(work: () => Promise<unknown>): Promise<number>;
}

/** Starts the sample forge in a process of its own, with a repository of `files` files. */
export async function bigRepository(files: number, latencyMs: number): Promise<BigRepository> {
	await using starting = new AsyncDisposableStack();
	const forge = await startSampleForge({ dialect: 'field', files, latencyMs });
	starting.defer(() => forge.stop());
	const pool = new Pool(forge.areas.git, { connections });
	starting.defer(() => pool.close());
	const net = openPackagedNet();
	starting.defer(() => net.close());
	const instance = { ...sampleInstance, areas: forge.areas };
	const connected = net.connectForge({ instance, me: many.owner, tokenFor: () => forge.tokens.alice });
	const headers = { authorization: `Bearer ${forge.tokens.alice}`, accept: 'application/json' };

	async function bareTree(path: string): Promise<BareTree> {
		const { body } = await pool.request({ method: 'GET', path: `/api/repos/many/${path}`, headers });
		// The baseline believes what it is sent: that is what makes it bare.
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion
		return JSON.parse(await body.text()) as BareTree;
	}

	const owned = starting.move();
	return {
		forge,
		api: connected.repositories,
		openStore: (parts = {}) =>
			storeOver(connected, {
				me: many.owner,
				beginWalk: () => Promise.resolve(net.beginWalk(instance, 'git')),
				...parts,
			}),
		async walk(store, revision) {
			const walked = { folders: 0, files: 0 };
			const at: TreePath = { ref: revision, path: '' };
			for await (const step of store.walk(many, at, new AbortController().signal)) {
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
			const wanted = [await bareTree('tree')];
			const queue: string[] = [];
			let running = 0;
			const done = Promise.withResolvers<void>();
			const take = ({ entries }: BareTree): void => {
				walked.folders += 1;
				for (const { id, type } of entries) {
					if (type === 'tree') {
						queue.push(id);
					} else {
						walked.files += 1;
					}
				}
				const room = connections - running;
				for (const id of queue.slice(next, next + room)) {
					next += 1;
					void run(id);
				}
				if (running === 0) {
					done.resolve();
				}
			};
			let next = 0;
			const run = async (id: string): Promise<void> => {
				running += 1;
				try {
					const tree = await bareTree(`tree/${id}`);
					running -= 1;
					take(tree);
				} catch (error) {
					done.reject(error);
				}
			};
			wanted.forEach(take);
			await done.promise;
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
