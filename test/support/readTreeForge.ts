// A process of its own, run with --expose-gc: readTreeForge.ts ORIGIN WORK [ORIGIN WORK …]. Does one after the other and
// prints what came of each as a line of JSON.
import './vscodeStub.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { partFiles } from '../../src/app/partFiles.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { RepositoryApi } from '../../src/forge/forge.ts';
import { isForgeError } from '../../src/forge/forgeError.ts';
import { openNet } from '../../src/net.ts';
import type { RepositoryStore } from '../../src/state/repositoryStore.ts';
import { directTransport, systemClock } from './contractForge.ts';
import { sampleInstance } from './fakeConnection.ts';
import { repositoryConnection, repositoryConnections } from './fakeRepositories.ts';
import { quietProblems } from './fakeTicketsParts.ts';
import { storeOver } from './repositoryAccount.ts';
import type { HostileWork, TreeReading } from './hostile/treeReading.ts';

const ref = { owner: '~alice', name: 'hostile' } as const;
const root = { ref: 'master', path: '' } as const;
const signal = new AbortController().signal;
/**
 * The deadline of a call, 30 seconds, is over in five: looking at the memory all the time is slow by itself. What is
 * saved may drip for a minute, which is over in three.
 */
function hastyClock(work: HostileWork): Clock {
	const times = work === 'saveFile' ? 20 : 6;
	return {
		nowMs: () => systemClock.nowMs() * times,
		after: (delayMs, then) => systemClock.after(delayMs / times, then),
	};
}

/** Enough to show that what is saved is not held. */
const mostSavedBytes = 256 * 1024 * 1024;
const lookEveryMs = 40;

const { repositoryFiles } = await import('../../src/features/repositories/repositoryFiles.ts');
const { uriOfPlace } = await import('../../src/features/repositories/placeUri.ts');

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
			return { entries: (await store.folder(ref, root, signal)).entries.length };
		case 'walk': {
			const walked = { entries: 0, leftOut: undefined as string | undefined };
			for await (const step of store.walk(ref, root, signal)) {
				walked.entries += step.kind === 'folder' ? step.entries.length : 0;
				walked.leftOut = step.kind === 'leftOut' ? step.why : walked.leftOut;
			}
			return walked;
		}
		case 'compare': {
			const standing = await store.standing(ref, root.ref, signal);
			const after = standing?.commit.id ?? '';
			const { changes, leftOut } = await store.changes(ref, { before: undefined, after }, signal);
			return { entries: changes.length, leftOut };
		}
		case 'readDirectory':
		case 'readFile': {
			const connection = repositoryConnection(store);
			const provider = repositoryFiles({
				connections: repositoryConnections(connection),
				ready: () => Promise.resolve(),
				// The problem itself tells more than the editor's words for it.
				problems: { ...quietProblems, log: (error: unknown) => void (logged = error) },
				tooLarge: () => undefined,
			});
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

/** What is alive now, in bytes. */
function live(): number {
	globalThis.gc?.();
	// What buffers held is counted until the collection after the one that freed them.
	globalThis.gc?.();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

async function measure(origin: string, work: HostileWork): Promise<TreeReading> {
	const net = openNet({ transport: directTransport, clock: hastyClock(work), random: Math.random });
	const areas = { meta: origin, todo: origin, lists: origin, git: origin };
	const instance = { ...sampleInstance, areas };
	const api = net.connectForge({ instance, me: ref.owner, tokenFor: () => 'token' });
	const store = storeOver(api, { me: ref.owner, beginWalk: () => Promise.resolve(net.beginWalk(instance, 'git')) });
	await delay(1);
	const before = live();
	let most = before;
	const look = setInterval(() => {
		most = Math.max(most, live());
	}, lookEveryMs);
	const startMs = performance.now();
	try {
		const seen = await read(store, work, api.repositories).catch((error: unknown) => ({
			problem: isForgeError(error) ? error.problem.kind : String(error),
		}));
		return { ...seen, tookMs: performance.now() - startMs, grownBytes: Math.max(most, live()) - before };
	} finally {
		clearInterval(look);
		store.dispose();
		await net.close();
	}
}

function isWork(text: string | undefined): text is HostileWork {
	return ['folder', 'walk', 'compare', 'readDirectory', 'readFile', 'saveFile'].includes(text ?? '');
}

const words = process.argv.slice(2);
for (let at = 0; at < words.length; at += 2) {
	const [origin = '', work] = words.slice(at);
	if (isWork(work)) {
		console.log(JSON.stringify(await measure(origin, work)));
	}
}
