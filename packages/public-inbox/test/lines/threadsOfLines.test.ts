import assert from 'node:assert/strict';
import { readMail } from 'patchmail/mail/readMail.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import { statedIds, type CommittedLine } from '../../src/lines/committedLine.ts';
import { firstWithHits } from '../../src/lines/firstWithHits.ts';
import type { ListedMail } from '../../src/lines/rankedThreads.ts';
import { threadsOfLines } from '../../src/lines/threadsOfLines.ts';

const never = new AbortController().signal;
const dayMs = 86_400_000;

function diff(...lines: readonly string[]): string {
	const added = lines.map((line) => `+${line}\n`).join('');
	return `diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -1,1 +1,${lines.length + 1} @@\n first\n${added}`;
}

interface Mail extends ListedMail {
	readonly text: string;
}

function mail(id: string, subject: string, days: number, text: string): Mail {
	return { messageId: `<${id}@x>`, subject, createdMs: days * dayMs, text };
}

const lines = ['one = open(first);', 'two = read(second);', 'three = close(third);'];
const commit: CommittedLine = {
	commit: 'a'.repeat(40),
	subject: 'part: open the first file',
	author: 'ann@x.example',
	authoredMs: 20 * dayMs,
	committedMs: 21 * dayMs,
	message: 'part: open the first file\n\nText.\n',
	diff: diff(...lines),
	path: 'a.c',
	text: lines[1]!,
};

/** A list that finds mails by the beginning of a query. */
function listOf(
	hits: Readonly<Record<string, readonly Mail[]>>,
	threads: readonly (readonly Mail[])[],
	hasPrefixes = true,
) {
	const asked: string[] = [];
	const fails = new Set<string>();
	const failing = (what: string): void => {
		asked.push(what);
		if (fails.delete(what.slice(0, 4))) {
			throw new Error('The network fails');
		}
	};
	const search = threadsOfLines<Mail>({
		hasPrefixes,
		async search(query) {
			failing(query);
			return Object.entries(hits).find(([start]) => query.startsWith(start))?.[1] ?? [];
		},
		async thread(messageId) {
			failing(messageId);
			return threads.find((thread) => thread.some((each) => each.messageId === messageId)) ?? [];
		},
		async patch({ text, subject }) {
			const raw = `From: Ann <ann@x.example>\nSubject: ${subject}\nMessage-ID: <1@x>\n\nText.\n---\n\n${text}-- \n2.45\n`;
			return patchMailOf(await readMail(raw, { evenIfLarge: true }), subject);
		},
	});
	return { asked, fails, of: (changes: Partial<CommittedLine> = {}) => search.of({ ...commit, ...changes }, never) };
}

const first = mail('v1', '[PATCH] part: open the first file', 10, diff(lines[0]!, 'two = guess(second);', lines[2]!));
const second = mail('v2', '[PATCH v2] part: open the first file', 15, diff(...lines));
const third = mail('v3', '[PATCH v3] part: open the first file', 20, diff(...lines));
const copy = mail('copy', '[PATCH 5.10 3/90] part: open the first file', 60, diff(...lines));

suite('threads of lines', () => {
	test('are opened at the version in which the line took its form', async () => {
		const { of, asked } = listOf({ 'patchid:': [copy, third, second] }, [[first, second, third]]);
		assert.deepEqual(await of(), [{ mail: second, last: third, hasLine: true }]);
		assert.deepEqual(await of({ text: lines[0]! }), [{ mail: first, last: third, hasLine: true }]);
		assert.equal(asked.length, 2);
	});

	test('need only words of the subject where searches have no prefixes', async () => {
		const { of, asked } = listOf({ '"open the first file"': [second, first] }, [[first], [second]], false);
		assert.equal((await of({ authoredMs: second.createdMs }))[0]?.mail, second);
		assert.ok(
			asked.every((query) => !query.includes(':')),
			asked.join(),
		);
	});

	test('prefer mails before the commit to later copies, which are better than none', async () => {
		const both = listOf({ 'patchid:': [copy], 's:': [copy, second] }, [[copy], [second]]);
		assert.equal((await both.of())[0]?.mail, second);
		assert.equal((await listOf({ 'patchid:': [copy] }, [[copy]]).of())[0]?.mail, copy);
	});

	test('are asked for again after a failure', async () => {
		const { of, fails } = listOf({ 'patchid:': [third] }, [[third]]);
		for (const what of ['patc', '<v3@']) {
			fails.add(what);
			await assert.rejects(of(), /network fails/);
		}
		assert.equal((await of())[0]?.mail, third);
	});

	test('are known for the last 100 commits', async () => {
		const { of, asked } = listOf({ 'patchid:': [third] }, [[third]]);
		for (let at = 100; at < 200; at++) {
			await of({ commit: String(at) });
		}
		const count = asked.length;
		await of({ commit: '100' });
		assert.equal(asked.length, count);
		await of({ commit: '200' });
		await of({ commit: '101' });
		assert.equal(asked.length, count + 2 * (count / 100));
	});

	test('are none for a merge, and for a commit without mails', async () => {
		assert.deepEqual(await listOf({}, []).of({ diff: '' }), []);
		assert.deepEqual(await listOf({}, []).of(), []);
	});

	test('come from the mail that the commit names, even if it has no patch', async () => {
		const message = 'x\n\nLink: https://lore.example/r/talk@x/\n';
		const talk = mail('talk', 'Re: A report', 5, '');
		const { of, asked } = listOf({ 'patchid:': [third] }, [[talk], [third]]);
		const found = await of({ message });
		assert.deepEqual(
			found.map((each) => each.mail),
			[third, talk],
		);
		assert.equal(asked[0], '<talk@x>');
	});
});

suite('Message-IDs in a commit', () => {
	const cases: readonly (readonly [string, readonly string[]])[] = [
		['Message-Id: <1@x>', ['<1@x>']],
		['Message-ID: 1@x', ['<1@x>']],
		['Link: https://patch.example/1@x', ['<1@x>']],
		['Link: https://lore.example/devel/a%2Fb@x/T/#u [1]', ['<a/b@x>']],
		['Link: https://lists.example/~ann/devel/%3C1@x%3E', ['<1@x>']],
		['Link: https://bugs.example/7', []],
		['Link: https://r.example/1@x\nLink: https://r.example/2@x', ['<2@x>', '<1@x>']],
		['See Link: https://r.example/1@x', []],
	];
	for (const [message, expected] of cases) {
		test(message, () => assert.deepEqual(statedIds(`x\n\n${message}\n`), expected));
	}
});

suite('places in turn', () => {
	async function* places() {
		yield* ['empty', 'failing', 'full', 'never'];
	}
	const ask = async (place: string): Promise<readonly string[]> => {
		assert.notEqual(place, 'never');
		if (place === 'failing') {
			throw new RangeError('It fails');
		}
		return place === 'full' ? ['hit'] : [];
	};

	test('end with the first one that has hits', async () => {
		const hits = await firstWithHits(places(), ask, () => true);
		assert.deepEqual(hits, { place: 'full', found: ['hit'] });
	});

	test('report a failure if none has hits, and other errors at once', async () => {
		const none = async (place: string): Promise<readonly string[]> => (place === 'failing' ? await ask(place) : []);
		await assert.rejects(
			firstWithHits(places(), none, () => true),
			RangeError,
		);
		await assert.rejects(
			firstWithHits(places(), ask, () => false),
			RangeError,
		);
	});
});
