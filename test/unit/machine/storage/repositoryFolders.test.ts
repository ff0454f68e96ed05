import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { textFolders } from '../../../../src/machine/storage/textFolders.ts';
import { systemClock } from '../../../../src/app/accounts/systemClock.ts';
import { keptRepositories, type KeptRepositories } from '../../../../src/store/repositories/keptRepositories.ts';
import { idOf, makeCommit, makeRepository } from '../../../support/fakeRepositories.ts';

interface Window {
	readonly kept: KeptRepositories;
	readonly idle: () => Promise<void>;
}

suite('repository cache on disk', () => {
	let folder = '';
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'forge-desk-repositories-'));
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	function open(): Window {
		const folders = textFolders(folder, systemClock, { bytes: 1_000_000, fileBytes: 100_000 });
		return {
			kept: keptRepositories(folders.of('one', 'https://git.forge.test'), systemClock),
			idle: () => folders.idle(),
		};
	}

	/** The name in each file’s header. */
	function names(): readonly string[] {
		return readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.map((name) => join(folder, name))
			.filter((path) => statSync(path).isFile())
			.map((path) => /"name":"([^"]*)"/.exec(inflateSync(readFileSync(path)).toString('utf8'))?.[1] ?? '')
			.toSorted();
	}

	/** Stores all kinds of entries of a repository. */
	async function keepAll(name: string): Promise<void> {
		const { kept, idle } = open();
		const ref = { owner: '~alice', name };
		const whole = { kind: 'complete' } as const;
		kept.items.keep(ref, makeRepository(name));
		kept.references(ref).keep({ items: [{ name: 'refs/heads/main', target: idOf(1) }], completeness: whole });
		kept.keepBranch(ref, { name: 'main' });
		for (const revision of ['HEAD', 'main', 'v1.0', idOf(1)]) {
			kept.log(ref, revision).keep({ items: [makeCommit(1)], completeness: whole });
		}
		[1, 2, 3].forEach((number) => kept.keepCommit(ref, makeCommit(number)));
		await idle();
	}

	test('deletes all entries of a repository, whichever window wrote them, and nothing else', async () => {
		const { kept, idle } = open();
		kept.own.keep({ items: [makeRepository('ink')], completeness: { kind: 'complete' } });
		await idle();
		await keepAll('ink');
		const others = names();
		await keepAll('quill');
		assert.equal(names().length, others.length + 10);
		kept.items.drop({ owner: '~alice', name: 'quill' });
		await idle();
		assert.deepEqual(names(), others);
		assert.equal((await open().kept.commit({ owner: '~alice', name: 'ink' }, idOf(2)))?.id, idOf(2));
		// A drop of a missing repository has no effect.
		kept.items.drop({ owner: '~alice', name: 'quill' });
		await idle();
		assert.deepEqual(names(), others);
	});

	test('keeps entries that arrive after a drop', async () => {
		const { kept, idle } = open();
		const quill = { owner: '~alice', name: 'quill' };
		kept.keepCommit(quill, makeCommit(1));
		kept.items.drop(quill);
		kept.keepCommit(quill, makeCommit(2));
		await idle();
		assert.deepEqual(names(), [`commit ~alice/quill ${idOf(2)}`]);
	});
});
