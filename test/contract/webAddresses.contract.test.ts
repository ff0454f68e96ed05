import { pushAddress } from '../support/pushToForge.ts';
import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Destination } from 'sourcehut/port/destination.ts';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import type { Reference, RepositoryRef } from 'sourcehut/port/repository.ts';
import { webDestination } from 'sourcehut/web/readAddress.ts';
import type { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import { revisionOf } from '../../src/store/repositories/repositoryReferences.ts';
import { allItems, protocolSuite, wanted, type ContractForge } from '../support/contractForge.ts';
import { fakeRepositories, fakeStore, repositoryConnection } from '../support/fakeRepositories.ts';
import { limitMs } from '../support/pace.ts';
import { webOf } from '../../src/editor/links/webOf.ts';

const { readWay } = await import('../../src/editor/links/openDestination.ts');

const maze: RepositoryRef = { owner: '~alice', name: 'maze' };
const utf8 = new TextDecoder();

/** Names that look like part of a file's path. */
const names = [
	'heads/item',
	'heads/tree/item',
	'heads/a/item/b',
	'heads/feature/x#1%20é',
	'tags/v1/item',
	'tags/blob/a&b',
];
const paths = ['item', 'tree/item/c.txt', 'b/item/c.txt', 'x#1%20é/a b?.txt', 'rss.xml'];

/** Pushes a repository in which every reference has all files, and each file names its reference. */
function pushMaze({ sample }: ContractForge): void {
	const folder = mkdtempSync(join(tmpdir(), 'maze-'));
	const who = { GIT_AUTHOR_NAME: 'Alice', GIT_AUTHOR_EMAIL: 'alice@forge.test' };
	const committer = { GIT_COMMITTER_NAME: 'Alice', GIT_COMMITTER_EMAIL: 'alice@forge.test' };
	const quiet = { GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
	const env = { PATH: process.env['PATH'], HOME: folder, ...who, ...committer, ...quiet };
	const git = (...args: readonly string[]): void => {
		execFileSync('git', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
	};
	try {
		git('init', '-q', '-b', 'work');
		for (const name of ['heads/main', ...names]) {
			for (const path of paths) {
				mkdirSync(dirname(join(folder, path)), { recursive: true });
				writeFileSync(join(folder, path), textAt(`refs/${name}`, path));
			}
			git('add', '-A');
			git('commit', '-qm', name);
			git('update-ref', `refs/${name}`, 'HEAD');
		}
		git('push', '-q', pushAddress(sample, '~alice/maze'), ...['heads/main', ...names].map((name) => `refs/${name}`));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function textAt(reference: string, path: string): string {
	return `${reference}:${path}\n`;
}

protocolSuite('web addresses', {}, ({ dialect, forge }) => {
	let store: RepositoryStore | undefined;
	let references: readonly Reference[] = [];

	suiteSetup(async function () {
		this.timeout(limitMs(30_000));
		pushMaze(forge());
		const { repositories } = forge().as('alice');
		await repositories.update({ owner: '~alice', name: 'maze' }, { visibility: 'public' }, wanted());
		store = storeOf(repositories);
		references = await allItems(repositories.references(maze, wanted()));
		assert.equal(references.length, names.length + 1);
	});

	/** The target of an address pasted into the editor. */
	async function follow(address: string): Promise<Destination | undefined> {
		assert.ok(store);
		const to = webDestination(new URL(address), forge().instance);
		return to?.kind === 'inRepository' ? readWay(repositoryConnection(store), to, wanted()) : to;
	}

	async function textOf({ ref, at }: Extract<Destination, { kind: 'file' }>): Promise<string> {
		assert.ok(store);
		const found = await store.folders.find(ref, at, wanted());
		assert.ok(found.kind === 'entry');
		return utf8.decode((await store.objects.blob(ref, found.entry.id, wanted())).bytes);
	}

	/** A page of the forge, requested without a token. */
	async function page(address: string): Promise<{ readonly status: number; readonly text: string }> {
		const answer = await fetch(address);
		return { status: answer.status, text: await answer.text() };
	}

	test('of files lead to the same file in the editor and on the forge for any reference name', async () => {
		for (const reference of references) {
			const revision = revisionOf(reference, references);
			for (const path of paths) {
				const at = { ref: revision, path };
				const subject = { kind: 'file', connectionKey: 'alice.sample', ref: maze, at } as const;
				const address = webOf(forge().instance).address(subject) ?? '';
				const to = await follow(`${address}#L1`);
				assert.ok(to?.kind === 'file');
				assert.deepEqual([to.ref, to.at, to.lines], [maze, at, { first: 1, last: 1 }]);
				assert.equal(await textOf(to), textAt(reference.name, path));
				const shown = await page(address);
				assert.equal(shown.status, 200, address);
				assert.ok(shown.text.includes(escaped(textAt(reference.name, path))), address);
			}
		}
	}).timeout(limitMs(60_000));

	test('of raw files and blame lead to the file that the forge shows', async () => {
		const root = `${forge().instance.areas.git}/~alice/maze`;
		for (const reference of references) {
			const way = (path: string): string =>
				[...revisionOf(reference, references).split('/'), ...path.split('/')].map(encodeURIComponent).join('/');
			for (const path of paths) {
				const raw = await page(`${root}/blob/${way(path)}`);
				assert.equal(raw.text, textAt(reference.name, path));
				for (const kind of ['blob', 'blame']) {
					const to = await follow(`${root}/${kind}/${way(path)}`);
					assert.ok(to?.kind === 'file');
					assert.equal(await textOf(to), raw.text);
				}
			}
		}
	}).timeout(limitMs(60_000));

	test('of references and tags lead to the reference, of logs to its commits', async () => {
		const root = `${forge().instance.areas.git}/~alice/maze`;
		for (const reference of references) {
			const revision = revisionOf(reference, references);
			const expected = { kind: 'reference', ref: maze, revision };
			const address = webOf(forge().instance).address({
				...expected,
				kind: 'reference',
			});
			assert.deepEqual(await follow(address ?? ''), expected);
			assert.equal((await page(address ?? '')).status, 200);
			const steps = revision.split('/').map(encodeURIComponent).join('/');
			assert.deepEqual(await follow(`${root}/log/${steps}`), { ...expected, kind: 'log', path: undefined });
			if (reference.name.startsWith('refs/tags/')) {
				assert.deepEqual(await follow(`${root}/refs/${steps}`), expected);
				assert.equal((await page(`${root}/refs/${steps}`)).status, 200);
			}
		}
	});

	test('read the references of a repository once, and never for a commit id', async () => {
		const { sample, instance } = forge();
		const fresh = storeOf(forge().as('bob').repositories);
		const connection = repositoryConnection(fresh);
		await sample.forgetRequests();
		for (const path of paths) {
			const to = webDestination(
				new URL(`${instance.areas.git}/~alice/maze/tree/main/item/${encodeURIComponent(path)}`),
				instance,
			);
			assert.ok(to?.kind === 'inRepository');
			await readWay(connection, to, wanted());
		}
		// Its HEAD is dangling, so a GraphQL service lists its references without release files; those of two tags
		// follow.
		assert.equal((await sample.requests()).length, dialect === 'graphql' ? 4 : 1);
		const permanent = webDestination(
			new URL(`${instance.areas.git}/~alice/maze/tree/${references[0]?.target ?? ''}/item/item`),
			instance,
		);
		assert.equal(permanent?.kind, 'file');
	});
});

/** A store over a real forge, without persistence. */
function storeOf(api: RepositoryApi): RepositoryStore {
	return fakeStore({ ...fakeRepositories(), api });
}

function escaped(text: string): string {
	return text.replaceAll('&', '&amp;');
}
