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

suite('kept drafts', () => {
	let folder: string;
	setup(() => {
		folder = join(mkdtempSync(join(tmpdir(), 'forge-desk-drafts-')), 'drafts');
	});
	teardown(() => rmSync(join(folder, '..'), { recursive: true }));

	const openWindow = (name: string): Drafts => keptDrafts(draftFiles(folder), name);
	const texts = (drafts: Drafts): readonly string[] => drafts.all().map(({ draft }) => draft.text);

	test('a kept text is there for the next window, and only its user may read the file', async () => {
		await openWindow('one').keep(comment, { text: 'half a sentence', atMs: 1000 });
		assert.deepEqual(openWindow('two').draft(comment), { text: 'half a sentence', atMs: 1000 });
		const [name = ''] = readdirSync(folder);
		assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
	});

	test('a text beside another draft neither replaces nor hides it, and is kept once', async () => {
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

	test('of texts that come faster than the disk, the latest is kept', async () => {
		const drafts = openWindow('one');
		const typed = ['a', 'ab', 'abc', 'abcd'].map((text, index) => drafts.keep(comment, { text, atMs: index }));
		assert.equal(drafts.draft(comment)?.text, 'abcd');
		await Promise.all(typed);
		assert.deepEqual(texts(openWindow('two')), ['abcd']);
	});

	test('a text is on the disk at once, whatever else waits for the disk or for a thread', async () => {
		const drafts = openWindow('one');
		// Threads of the pool are few, and a window that starts has many uses for them.
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

	test('two windows that write about the same ticket keep a text each', async () => {
		const [one, two] = [openWindow('one'), openWindow('two')];
		await one.keep(comment, { text: 'from the first', atMs: 1 });
		await two.keep(comment, { text: 'something else', atMs: 2 });
		await one.keep(comment, { text: 'from the first window', atMs: 3 });
		assert.deepEqual(texts(one), ['from the first window', 'something else']);
		assert.equal(one.draft(comment)?.text, 'from the first window');
		assert.equal(two.draft(comment)?.text, 'something else');
	});

	test('a text that was taken over from a window that ended does not stay behind', async () => {
		await openWindow('ended').keep(comment, { text: 'the old ending', atMs: 1 });
		const next = openWindow('next');
		next.draft(comment);
		await next.keep(comment, { text: 'a new ending', atMs: 2 });
		assert.deepEqual(texts(next), ['a new ending']);
	});

	test('a text that another window went on with after it was taken over stays', async () => {
		const writing = openWindow('writing');
		await writing.keep(comment, { text: 'one', atMs: 1 });
		const next = openWindow('next');
		next.draft(comment);
		await writing.keep(comment, { text: 'one more', atMs: 2 });
		await next.keep(comment, { text: 'two', atMs: 3 });
		assert.deepEqual(texts(next), ['two', 'one more']);
	});

	test('an empty text forgets the draft, and what a killed window left of it', async () => {
		await openWindow('killed').keep(comment, { text: 'to be s', atMs: 1 });
		const drafts = openWindow('one');
		await drafts.keep(comment, { text: 'to be sent', atMs: 2 });
		await drafts.keep(comment, { text: '', atMs: 3 });
		assert.equal(drafts.draft(comment), undefined);
		assert.deepEqual(readdirSync(folder), []);
	});

	test('all drafts are listed, latest first, and each can be forgotten alone', async () => {
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

	test('a text that another window writes while its earlier one is cleared away stays', async () => {
		const files = draftFiles(folder);
		const [one, two] = [openWindow('one'), openWindow('two')];
		const racing = keptDrafts(
			{
				...files,
				// The other window types on between this window's last look and the end of the file.
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

	test('of two windows that type at once neither loses a text', async () => {
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

	test('a draft that does not fit leaves nothing behind, and the next one that fits is kept', async () => {
		const drafts = openWindow('one');
		await drafts.keep(comment, { text: 'fits', atMs: 1 });
		const before = readdirSync(folder);
		const [name = ''] = before;
		// The disk of this one file has no room.
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

	test('a disk that has no room when a draft is flushed is said to be full, and whoever shows drafts is told', async () => {
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

	suite('drafts that overlap', () => {
		/** A window whose flushes end when the test says so, in the order in which they began. */
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

		test('the later of two that the disk does not take is shown', async () => {
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

		test('one that the disk does not take at all is listed in its window as long as that lives', async () => {
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

		test('one that the disk does not take leaves the later one shown that is kept', async () => {
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

	test('a draft that is kept is said to be, though what an earlier window left cannot be cleared away', async () => {
		await openWindow('ended').keep(comment, { text: 'the old', atMs: 1 });
		const files = draftFiles(folder);
		const drafts = keptDrafts({ ...files, remove: () => assert.fail('is busy') }, 'next');
		drafts.draft(comment);
		await drafts.keep(comment, { text: 'the old and the new', atMs: 2 });
		assert.equal(drafts.draft(comment)?.text, 'the old and the new');
	});

	test('what is typed last is the latest draft, though the clock was set back', async () => {
		await openWindow('one').keep(comment, { text: 'before', atMs: 5000 });
		await openWindow('two').keep(comment, { text: 'typed later', atMs: 100 });
		assert.equal(openWindow('three').draft(comment)?.text, 'typed later');
		await openWindow('three').keep(comment, { text: 'latest of all', atMs: 50 });
		assert.equal(openWindow('four').draft(comment)?.text, 'latest of all');
	});

	test('a draft whose time is none is shown with the time of its file', async () => {
		const drafts = openWindow('one');
		await drafts.keep(comment, { text: 'mine', atMs: 1 });
		const [name = ''] = readdirSync(folder);
		const path = join(folder, name);
		writeFileSync(path, readFileSync(path, 'utf8').replace('"atMs":1', '"atMs":1e999'));
		utimesSync(path, 7, 7);
		assert.deepEqual(openWindow('two').draft(comment), { text: 'mine', atMs: 7000 });
	});

	test('files that are no drafts are passed over', async () => {
		const drafts = openWindow('one');
		await drafts.keep(comment, { text: 'mine', atMs: 1 });
		writeFileSync(join(folder, 'half.json'), '{"about":');
		writeFileSync(join(folder, 'other.json'), '{"about":"[1]","text":"x","atMs":1}');
		assert.deepEqual(texts(drafts), ['mine']);
	});

	test('drafts of version 0.1.0 move over', async () => {
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
