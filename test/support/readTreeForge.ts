// A separate process, forked with --expose-gc. It runs the orders of its messages (`HostileOrder`) one by one, and
// sends each result.
import './vscodeStub.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { partFiles } from '../../src/machine/storage/partFiles.ts';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { openNet } from 'sourcehut/net.ts';
import type { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import { directTransport } from './contractForge.ts';
import { cpuMsSince } from './cpuTime.ts';
import { sampleInstance } from './fakeConnection.ts';
import { fakeClock, type FakeClock } from './fakeClock.ts';
import { repositoryConnection, repositoryConnections } from './fakeRepositories.ts';
import { quietProblems } from './fakeTicketsParts.ts';
import { storeOver } from './repositoryAccount.ts';
import { readOrder, type HostileOrder, type HostileWork, type TreeReading } from './hostile/treeReading.ts';
import { fake } from './fake.ts';
import type { RepositoriesContext } from '../../src/features/repositories/parts/repositoriesContext.ts';

const ref = { owner: '~alice', name: 'hostile' } as const;
const root = { ref: 'master', path: '' } as const;
const signal = new AbortController().signal;
/** Enough to show that saving does not buffer in memory. */
const mostSavedBytes = 256 * 1024 * 1024;
const tickMs = 5;
/** Clock time of an idle tick. */
const idleMs = 1;
/** Clock time of a slow chunk. */
const dropMs = 1000;

const { repositoryFiles } = await import('../../src/features/repositories/files/repositoryFiles.ts');
const { uriOfPlace } = await import('../../src/features/repositories/subjects/place.ts');

async function read(
	store: RepositoryStore,
	work: HostileWork,
	api: RepositoryApi,
): Promise<Pick<TreeReading, 'entries' | 'leftOut'>> {
	switch (work) {
		case 'saveFile': {
			const folder = await mkdtemp(join(tmpdir(), 'forge-desk-hostile-'));
			const chunks = api.blobStream?.(ref, { ref: root.ref, path: 'x' }, mostSavedBytes, signal);
			assert.ok(chunks);
			const promised = { kind: 'blob', id: 'b'.repeat(40), mostBytes: mostSavedBytes } as const;
			const download = { path: join(folder, 'x'), chunks, promised, progressed: () => undefined };
			const saving = partFiles().save(download, signal);
			await saving.catch(() => undefined);
			const entries = (await readdir(folder)).length;
			await rm(folder, { recursive: true });
			assert.equal(entries, 0, 'Something was left on the disk');
			return { entries, leftOut: (await saving).kind };
		}
		case 'folder':
			return { entries: (await store.folders.folder(ref, root, signal)).entries.length };
		case 'walk': {
			const walked = { entries: 0, leftOut: undefined as string | undefined };
			for await (const step of store.folders.walk(ref, root, signal)) {
				walked.entries += step.kind === 'folder' ? step.entries.length : 0;
				walked.leftOut = step.kind === 'leftOut' ? step.why : walked.leftOut;
			}
			return walked;
		}
		case 'compare': {
			const standing = await store.folders.standing(ref, root.ref, signal);
			const after = standing?.commit.id ?? '';
			const { changes, leftOut } = await store.folders.changes(ref, { before: undefined, after }, signal);
			return { entries: changes.length, leftOut };
		}
		case 'readDirectory':
		case 'readFile': {
			const connection = repositoryConnection(store);
			const provider = repositoryFiles(
				fake<RepositoriesContext>({
					connections: repositoryConnections(connection),
					ready: () => Promise.resolve(),
					// The problem has more details than its text.
					problems: { ...quietProblems, log: (error: unknown) => void (logged = error) },
					tooLarge: () => undefined,
				}),
			);
			let logged: unknown;
			const uri = (path: string): ReturnType<typeof uriOfPlace> =>
				uriOfPlace({ kind: 'entry', connectionKey: connection.key, ref, at: { ref: root.ref, path } });
			try {
				return work === 'readFile'
					? { entries: (await provider.readFile(uri('x'))).length }
					: { entries: (await provider.readDirectory(uri(''))).length };
			} catch (error) {
				throw logged ?? error;
			} finally {
				provider.dispose();
			}
		}
	}
}

/** Live memory in bytes. */
function live(): number {
	globalThis.gc?.();
	// Memory of freed buffers counts until the second collection.
	globalThis.gc?.();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

/**
 * Time follows the CPU time of this process and the slow chunks, and hardly anything else: a busy machine does not
 * bring deadlines nearer.
 */
async function measure({ origin, work, mostGrownBytes }: HostileOrder, clock: FakeClock): Promise<Measured> {
	const net = openNet({ transport: directTransport, clock, random: Math.random });
	const areas = { meta: origin, todo: origin, lists: origin, git: origin };
	const instance = { ...sampleInstance, areas };
	const api = net.connectForge({ instance, me: ref.owner, tokenFor: () => 'token' });
	const store = storeOver(api, { me: ref.owner, beginWalk: () => Promise.resolve(net.beginWalk(instance, 'git')) });
	await delay(1);
	const before = live();
	let most = 0;
	const look = (): void => {
		const { heapUsed, external } = process.memoryUsage();
		const held = heapUsed + external - before;
		// The heap size bounds live memory. A collection is slow, so it runs only in doubt.
		most = Math.max(most, held <= mostGrownBytes ? held : live() - before);
	};
	const startMs = clock.nowMs();
	const beganCpu = process.cpuUsage();
	let countedMs = 0;
	const ticks = setInterval(() => {
		const cpuMs = cpuMsSince(beganCpu);
		clock.advance(idleMs + cpuMs - countedMs);
		countedMs = cpuMs;
		look();
	}, tickMs);
	try {
		const seen = await read(store, work, api.repositories).catch((error: unknown) => ({
			problem: isForgeError(error) ? error.problem.kind : String(error),
		}));
		look();
		return { ...seen, cpuMs: cpuMsSince(beganCpu), passedMs: clock.nowMs() - startMs, grownBytes: most };
	} finally {
		clearInterval(ticks);
		store.dispose();
		await net.close();
	}
}

type Measured = Omit<TreeReading, 'requests'>;

const clock = fakeClock();
process.on('message', (message) => {
	const order = readOrder(message);
	if (order === 'drop') {
		clock.advance(dropMs);
	} else {
		void measure(order, clock).then((measured) => process.send?.(measured));
	}
});
