import assert from 'node:assert/strict';
import { pbkdf2 } from 'node:crypto';
import {
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { draftFiles } from '../../../../src/machine/storage/draftFiles.ts';
import { takeOverEarlierDrafts } from '../../../../src/machine/storage/earlierDrafts.ts';
import { keptDrafts } from '../../../../src/machine/storage/keptDrafts.ts';
import type { Drafts, DraftSubject } from '../../../../src/store/drafts/drafts.ts';

const tracker = { owner: '~alice', name: 'website' };
const comment: DraftSubject = { kind: 'comment', connectionKey: 'sample-alice', ref: { tracker, id: 3 } };
const other: DraftSubject = { kind: 'newTicket', connectionKey: 'sample-alice', tracker, name: 'a1' };

suite('draft store', () => {
	let folder: string;
	setup(() => {
		folder = join(mkdtempSync(join(tmpdir(), 'forge-desk-drafts-')), 'drafts');
	});
	teardown(() => rmSync(join(folder, '..'), { recursive: true }));

	const openWindow = (name: string): Drafts => keptDrafts(draftFiles(folder), name);
	const texts = (drafts: Drafts): readonly string[] => drafts.all().map(({ draft }) => draft.text);

	test('shows a draft in the next window and restricts its file to the user', async () => {
		await openWindow('one').keep(comment, { text: 'half a sentence', atMs: 1000 });
		assert.deepEqual(openWindow('two').draft(comment), { text: 'half a sentence', atMs: 1000 });
		const [name = ''] = readdirSync(folder);
		assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
	});

	test('stores a second text beside a draft once, without replacing or hiding the draft', async () => {
		const [one, two] = [openWindow('one'), openWindow('two')];
		await one.keep(comment, { text: 'my own', atMs: 1000 });
		const beside = { text: 'of a tool', atMs: 2000 };
		assert.deepEqual([await two.keepBeside(comment, beside), await one.keepBeside(comment, beside)], [true, false]);
		assert.deepEqual([texts(two), openWindow('three').draft(comment)?.text], [['my own', 'of a tool'], 'my own']);
		await one.keep(comment, { text: '', atMs: 3000 });
		assert.deepEqual([await two.keepBeside(comment, { text: 'of', atMs: 1 }), texts(two)], [false, ['of a tool']]);
		assert.equal(await two.keepBeside({ ...comment, ref: { ...comment.ref, id: 77 } }, beside), false);
		assert.deepEqual(texts(two), ['of a tool', 'of a tool']);
	});

	test('keeps the latest of several quick changes', async () => {
		const drafts = openWindow('one');
		const typed = ['a', 'ab', 'abc', 'abcd'].map((text, index) => drafts.keep(comment, { text, atMs: index }));
		assert.equal(drafts.draft(comment)?.text, 'abcd');
		await Promise.all(typed);
		assert.deepEqual(texts(openWindow('two')), ['abcd']);
	});

	test('writes a draft synchronously, even while the thread pool is busy', async () => {
		const drafts = openWindow('one');
		// The thread pool is small, and a starting window has many uses for it.
		const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('x', 'y', 60_000, 64, 'sha512'));
		const keeping = ['a', 'ab', 'abc'].map((text, atMs) => {
			const kept = drafts.keep(comment, { text, atMs });
			assert.deepEqual(texts(openWindow('two')), [text]);
			return kept;
		});
		const forgotten = drafts.keep(comment, { text: '', atMs: 4 });
		assert.deepEqual(readdirSync(folder), []);
		await Promise.all([...keeping, forgotten, ...busy]);
		assert.deepEqual(readdirSync(folder), []);
	});

	test('keeps one text per window for the same ticket', async () => {
		const [one, two] = [openWindow('one'), openWindow('two')];
		await one.keep(comment, { text: 'from the first', atMs: 1 });
		await two.keep(comment, { text: 'something else', atMs: 2 });
		await one.keep(comment, { text: 'from the first window', atMs: 3 });
		assert.deepEqual(texts(one), ['from the first window', 'something else']);
		assert.equal(one.draft(comment)?.text, 'from the first window');
		assert.equal(two.draft(comment)?.text, 'something else');
	});

	test('deletes the text of an ended window after the next window has changed it', async () => {
		await openWindow('ended').keep(comment, { text: 'the old ending', atMs: 1 });
		const next = openWindow('next');
		next.draft(comment);
		await next.keep(comment, { text: 'a new ending', atMs: 2 });
		assert.deepEqual(texts(next), ['a new ending']);
	});

	test('keeps a text that another window continued after the takeover', async () => {
		const writing = openWindow('writing');
		await writing.keep(comment, { text: 'one', atMs: 1 });
		const next = openWindow('next');
		next.draft(comment);
		await writing.keep(comment, { text: 'one more', atMs: 2 });
		await next.keep(comment, { text: 'two', atMs: 3 });
		assert.deepEqual(texts(next), ['two', 'one more']);
	});

	test('forgets a draft when its text is empty, including the copy of a killed window', async () => {
		await openWindow('killed').keep(comment, { text: 'to be s', atMs: 1 });
		const drafts = openWindow('one');
		await drafts.keep(comment, { text: 'to be sent', atMs: 2 });
		await drafts.keep(comment, { text: '', atMs: 3 });
		assert.equal(drafts.draft(comment), undefined);
		assert.deepEqual(readdirSync(folder), []);
	});

	test('lists all drafts, latest first, and forgets each separately', async () => {
		const drafts = openWindow('one');
		await drafts.keep(comment, { text: 'earlier', atMs: 1 });
		await drafts.keep(other, { text: 'later', atMs: 2 });
		const [latest] = drafts.all();
		assert.deepEqual(latest, { about: other, draft: { text: 'later', atMs: 2 } });
		const told: DraftSubject[] = [];
		drafts.onDidChange((about) => told.push(about));
		assert.ok(latest);
		await drafts.forget(latest);
		assert.deepEqual(texts(drafts), ['earlier']);
		assert.deepEqual(told, [other]);
	});

	test('keeps a text that another window writes while this window deletes the earlier one', async () => {
		const files = draftFiles(folder);
		const [one, two] = [openWindow('one'), openWindow('two')];
		const racing = keptDrafts(
			{
				...files,
				// The other window types between this window’s last check and the deletion.
				remove(file) {
					void one.keep(comment, { text: 'hello moon', atMs: 3 });
					files.remove(file);
				},
			},
			'racing',
		);
		await one.keep(comment, { text: 'hello', atMs: 1 });
		await racing.keep(comment, { text: 'hello world', atMs: 2 });
		assert.deepEqual(texts(two).toSorted(), ['hello moon', 'hello world']);
	});

	test('keeps both texts of two windows that type simultaneously', async () => {
		for (let round = 0; round < 60; round += 1) {
			const [one, two] = [openWindow(`one${round}`), openWindow(`two${round}`)];
			const about: DraftSubject = { ...comment, ref: { tracker, id: round + 1 } };
			await one.keep(about, { text: 'hello', atMs: 1 });
			await Promise.all([
				two.keep(about, { text: 'hello world', atMs: 2 }),
				one.keep(about, { text: 'hello moon', atMs: 3 }),
			]);
			const kept = draftFiles(folder).read(about);
			assert.deepEqual(kept.map(({ draft }) => draft.text).toSorted(), ['hello moon', 'hello world'], `round ${round}`);
		}
	});

	test('leaves no partial file on a full disk and stores the next draft that fits', async () => {
		const drafts = openWindow('one');
		await drafts.keep(comment, { text: 'fits', atMs: 1 });
		const before = readdirSync(folder);
		const [name = ''] = before;
		// The disk has no room for this file.
		symlinkSync('/dev/full', join(folder, `${name}.${process.pid}.new`));
		await assert.rejects(drafts.keep(comment, { text: 'does not fit', atMs: 2 }), {
			name: 'DraftNotKept',
			isFull: true,
		});
		assert.deepEqual(readdirSync(folder), before);
		assert.equal(drafts.draft(comment)?.text, 'does not fit');
		await drafts.keep(comment, { text: 'does fit again', atMs: 3 });
		assert.deepEqual(texts(openWindow('two')), ['does fit again']);
	});

	test('reports a full disk on flush and notifies listeners', async () => {
		const files = draftFiles(folder);
		let isFull = true;
		const drafts = keptDrafts(
			{
				...files,
				async flush(name) {
					if (isFull) {
						throw Object.assign(new Error('no room'), { code: 'EDQUOT' });
					}
					await files.flush(name);
				},
			},
			'one',
		);
		let told = 0;
		drafts.onDidChange(() => (told += 1));
		await assert.rejects(drafts.keep(comment, { text: 'half a sentence', atMs: 1 }), {
			name: 'DraftNotKept',
			isFull: true,
		});
		assert.deepEqual([drafts.draft(comment)?.text, told], ['half a sentence', 1]);
		isFull = false;
		await drafts.keep(comment, { text: 'a whole sentence', atMs: 2 });
		assert.deepEqual([texts(drafts), told], [['a whole sentence'], 2]);
	});

	suite('overlapping drafts', () => {
		/** A window whose flushes the test ends, in the order of their start. */
		function withFlushes(): { readonly drafts: Drafts; readonly flushes: PromiseWithResolvers<void>[] } {
			const flushes: PromiseWithResolvers<void>[] = [];
			const flush = (): Promise<void> => {
				const flushing = Promise.withResolvers<void>();
				flushes.push(flushing);
				return flushing.promise;
			};
			return { drafts: keptDrafts({ ...draftFiles(folder), flush }, 'one'), flushes };
		}
		const noRoom = (): Error => Object.assign(new Error('no room'), { code: 'ENOSPC' });

		test('show the later text when the disk rejects both', async () => {
			const { drafts, flushes } = withFlushes();
			const keeping = ['half', 'half a sentence'].map((text, atMs) => drafts.keep(comment, { text, atMs }));
			flushes.forEach(({ reject }) => reject(noRoom()));
			const ended = await Promise.allSettled(keeping);
			assert.deepEqual(
				ended.map(({ status }) => status),
				['rejected', 'rejected'],
			);
			assert.equal(drafts.draft(comment)?.text, 'half a sentence');
		});

		test('are listed in their window when the disk rejects them', async () => {
			const files = draftFiles(folder);
			const full = (): never => {
				throw noRoom();
			};
			const drafts = keptDrafts({ ...files, write: full }, 'one');
			await assert.rejects(drafts.keep(comment, { text: 'half', atMs: 1 }), { name: 'DraftNotKept' });
			assert.deepEqual(drafts.all(), [{ about: comment, draft: { text: 'half', atMs: 1 } }]);
			await drafts.forget({ about: comment, draft: { text: 'half', atMs: 1 } });
			assert.deepEqual(drafts.all(), []);
		});

		test('show the later stored text when the disk rejects the earlier one', async () => {
			const { drafts, flushes } = withFlushes();
			const [earlier, later] = ['half', 'half a sentence'].map((text, atMs) => drafts.keep(comment, { text, atMs }));
			assert.ok(earlier && later);
			flushes[1]?.resolve();
			await later;
			flushes[0]?.reject(noRoom());
			await assert.rejects(earlier, { name: 'DraftNotKept' });
			assert.equal(drafts.draft(comment)?.text, 'half a sentence');
			await drafts.forget({ about: comment, draft: { text: 'half a sentence', atMs: 1 } });
			assert.equal(drafts.draft(comment), undefined);
		});
	});

	test('stores a draft even if it cannot delete that of an earlier window', async () => {
		await openWindow('ended').keep(comment, { text: 'the old', atMs: 1 });
		const files = draftFiles(folder);
		const drafts = keptDrafts({ ...files, remove: () => assert.fail('is busy') }, 'next');
		drafts.draft(comment);
		await drafts.keep(comment, { text: 'the old and the new', atMs: 2 });
		assert.equal(drafts.draft(comment)?.text, 'the old and the new');
	});

	test('shows the last typed text as latest, even after the clock was set back', async () => {
		await openWindow('one').keep(comment, { text: 'before', atMs: 5000 });
		await openWindow('two').keep(comment, { text: 'typed later', atMs: 100 });
		assert.equal(openWindow('three').draft(comment)?.text, 'typed later');
		await openWindow('three').keep(comment, { text: 'latest of all', atMs: 50 });
		assert.equal(openWindow('four').draft(comment)?.text, 'latest of all');
	});

	test('uses the file’s time for a draft without a valid time', async () => {
		const drafts = openWindow('one');
		await drafts.keep(comment, { text: 'mine', atMs: 1 });
		const [name = ''] = readdirSync(folder);
		const path = join(folder, name);
		writeFileSync(path, readFileSync(path, 'utf8').replace('"atMs":1', '"atMs":1e999'));
		utimesSync(path, 7, 7);
		assert.deepEqual(openWindow('two').draft(comment), { text: 'mine', atMs: 7000 });
	});

	test('skips files that are not drafts', async () => {
		const drafts = openWindow('one');
		await drafts.keep(comment, { text: 'mine', atMs: 1 });
		writeFileSync(join(folder, 'half.json'), '{"about":');
		writeFileSync(join(folder, 'other.json'), '{"about":"[1]","text":"x","atMs":1}');
		assert.deepEqual(texts(drafts), ['mine']);
	});

	test('migrates drafts of version 0.1.0', async () => {
		const storage = new Map<string, unknown>([
			['forge.draft:sample-alice ~alice/website#3', { text: 'from before', atMs: 5 }],
			['forge.draft:sample-alice nonsense', { text: 'x' }],
			['forge.names:trackers:sample-alice', ['~bob/x']],
		]);
		await takeOverEarlierDrafts(
			{
				keys: () => [...storage.keys()],
				get: (key: string) => storage.get(key),
				update: async (key, value) => void (value === undefined ? storage.delete(key) : storage.set(key, value)),
			},
			draftFiles(folder),
		);
		assert.deepEqual(openWindow('one').draft(comment), { text: 'from before', atMs: 5 });
		assert.deepEqual([...storage.keys()], ['forge.names:trackers:sample-alice']);
	});
});
