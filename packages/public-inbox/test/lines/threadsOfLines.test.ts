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
	/** Subjects of mails whose patches were compared. */
	const compared: string[] = [];
	/** Mails that a search found before their thread was read. */
	const rows: (Mail | undefined)[] = [];
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
		async thread(messageId, row) {
			failing(messageId);
			rows.push(row);
			return threads.find((thread) => thread.some((each) => each.messageId === messageId)) ?? [];
		},
		async patch({ text, subject }) {
			compared.push(subject);
			const raw = `From: Ann <ann@x.example>\nSubject: ${subject}\nMessage-ID: <1@x>\n\nText.\n---\n\n${text}-- \n2.45\n`;
			return patchMailOf(await readMail(raw, { evenIfLarge: true }), subject);
		},
	});
	return {
		asked,
		compared,
		rows,
		fails,
		of: (changes: Partial<CommittedLine> = {}) => search.of({ ...commit, ...changes }, never),
	};
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

suite('searches for threads of lines', () => {
	const title = 'part: open the first file';
	const whole = diff(...lines);
	const without = diff(lines[0]!, 'other = words();', lines[2]!);
	const names = async (list: ReturnType<typeof listOf>, changes: Partial<CommittedLine> = {}) =>
		(await list.of(changes)).map(({ mail: { messageId }, hasLine }) => `${messageId}${hasLine ? '' : ' without'}`);

	test('prefer the whole title to its end, and take no title that ends otherwise', async () => {
		const exact = mail('exact', `[PATCH] ${title}`, 5, whole);
		const end = mail('end', '[PATCH] tree: OPEN the first file', 20, whole);
		const other = mail('other', '[PATCH] part: open the first file again', 20, whole);
		const threads = [[exact], [end], [other]];
		assert.deepEqual(await names(listOf({ 's:': [other, end, exact] }, threads)), ['<exact@x>']);
		assert.deepEqual(await names(listOf({ 's:': [other, end] }, threads)), ['<end@x>']);
		assert.deepEqual(await names(listOf({ 's:': [other] }, threads)), []);
	});

	test('take no reply for a patch, and no mail later than a day after the commit', async () => {
		const reply = mail('reply', `Re: [PATCH] ${title}`, 20, whole);
		const plain = mail('plain', title, 20, '');
		assert.deepEqual(await names(listOf({ 's:': [reply, first] }, [[first], [reply]])), ['<v1@x> without']);
		// A mail without tags may be a patch, too.
		assert.deepEqual((await listOf({ 's:': [plain] }, [[plain, second]]).of())[0]?.mail, second);
		for (const [lateMs, expected] of [
			[0, '<late@x>'],
			[1, '<v2@x>'],
		] as const) {
			const late = { ...mail('late', `[PATCH] ${title}`, 22, whole), createdMs: 22 * dayMs + lateMs };
			const list = listOf({ 'patchid:': [late], 's:': [second] }, [[late], [second]]);
			assert.deepEqual((await names(list, { authoredMs: 22 * dayMs }))[0], expected);
		}
	});

	test('ask for the lines where the titled patch lacks one, and read one thread more', async () => {
		const titled = mail('titled', `[PATCH] ${title}`, 20, without);
		const far = mail('far', '[PATCH] other title', 10, whole);
		const near = mail('near', '[PATCH] third title', 19, without);
		const hits = { 's:': [titled], 'dfn:': [near, far] };
		const list = listOf(hits, [[titled, near], [far]]);
		assert.deepEqual(await names(list), ['<far@x>', '<titled@x> without']);
		assert.equal(list.asked.filter((what) => what.startsWith('dfn:')).length, 1);
		const [query = ''] = list.asked.filter((what) => what.startsWith('dfn:'));
		assert.ok(
			lines.every((line) => query.includes(`dfb:"${line}"`)),
			query,
		);
		// Two threads at most.
		const three = listOf({ ...hits, 'patchid:': [near] }, [[titled], [near], [far]]);
		assert.deepEqual(await names(three), ['<far@x>', '<near@x> without']);
		// Servers that only know words have no searches for lines.
		const words = listOf({ '"open': [titled] }, [[titled], [far]], false);
		assert.deepEqual(await names(words), ['<titled@x> without']);
		assert.equal(words.asked.length, 2);
	});

	test('read the thread of the lowest earlier version, if each version has its own', async () => {
		const [v1, v2, v3] = [1, 2, 3].map((version) =>
			mail(`own${version}`, `[PATCH v${version}] ${title}`, 10 + version, version === 1 ? without : whole),
		);
		const late = { ...v1!, messageId: '<late@x>', createdMs: 90 * dayMs };
		const list = listOf({ 'patchid:': [v3!], 'dfn:': [late, v3!, v2!, v1!] }, [[v1!], [v2!], [v3!], [late]]);
		assert.deepEqual(await names(list), ['<own3@x>', '<own1@x> without']);
		assert.deepEqual(list.asked.slice(-2), [
			'dfn:"a.c" AND (dfb:"two = read(second);" OR nq:"two = read(second);") AND (f:"ann@x.example" OR nq:"ann@x.example")',
			'<own1@x>',
		]);
		// A short line is in many patches, so the title has to do.
		const braced = { ...v3!, text: diff('}', ...lines) };
		const short = listOf({ 'patchid:': [braced], 's:': [v2!, braced] }, [[v2!], [braced]]);
		await short.of({ text: '}', diff: braced.text });
		assert.deepEqual(short.asked.slice(-2), [
			`s:"open the first file" AND (f:"ann@x.example" OR nq:"ann@x.example")`,
			'<own2@x>',
		]);
		const only = listOf({ 'patchid:': [v1!] }, [[{ ...v1!, text: whole }]]);
		await only.of();
		assert.equal(only.asked.length, 2);
	});

	test('compare only titled patches, if they have the line and all versions', async () => {
		const titled = [1, 2].map((version) => mail(`t${version}`, `[PATCH v${version} 1/2] ${title}`, 10, whole));
		const others = [1, 2].map((version) => mail(`o${version}`, `[PATCH v${version} 2/2] iron`, 10, diff('iron();')));
		const subjects = (mails: readonly Mail[]) => mails.map(({ subject }) => subject).toSorted();
		const all = [...titled, ...others, mail('re', `Re: [PATCH v2 1/2] ${title}`, 11, whole)];
		const complete = listOf({ 'patchid:': titled }, [all]);
		await complete.of();
		assert.deepEqual(complete.compared.toSorted(), subjects(titled));
		// A version under another title may have the line, too.
		const renamed = mail('t3', '[PATCH v3] other title', 12, whole);
		const more = listOf({ 'patchid:': titled }, [[...all, renamed]]);
		assert.equal((await more.of())[0]?.last, renamed);
		assert.deepEqual(more.compared.toSorted(), subjects([...titled, ...others, renamed]));
		await more.of({ text: lines[0]! });
		assert.equal(more.compared.length, 5);
	});

	test('compare 200 patches of a thread', async () => {
		const many = Array.from({ length: 201 }, (_, at) =>
			mail(`m${at}`, `[PATCH ${at}/201] m${at}`, 10, diff('iron();')),
		);
		const list = listOf({ 'patchid:': many }, [many]);
		assert.deepEqual(await list.of(), []);
		assert.equal(list.compared.length, 200);
	});

	test('count patches of other people and mails without a patch for nothing', async () => {
		const alike = mail('alike', '[PATCH] other title', 10, diff(lines[0]!, lines[1]!));
		const foreign = mail(
			'foreign',
			'[PATCH] third title',
			20,
			diff('iron();', lines[1]!, 'linen = fold();', 'wash = iron();'),
		);
		const cover = mail('cover', '[PATCH 0/2] all', 20, 'No diff.\n');
		const list = listOf({ 'patchid:': [alike] }, [[cover, foreign, alike]]);
		assert.deepEqual(await names(list), ['<alike@x>']);
	});

	test('give a thread the row that they found, and the stated mail none', async () => {
		const message = 'x\n\nMessage-Id: <v1@x>\n';
		const list = listOf({ 'patchid:': [third] }, [[first], [third]]);
		await list.of({ message });
		assert.deepEqual(list.rows, [undefined, third]);
		// A thread without its patch shows the mail that the commit names, and no mail that a search found.
		const talk = mail('v1', 'Talk', 5, '');
		assert.deepEqual(await names(listOf({}, [[mail('t0', 'Top', 4, ''), talk]]), { message }), ['<v1@x> without']);
		assert.deepEqual(await names(listOf({ 'dfn:': [talk] }, [[talk]])), []);
		// A known thread is not read again.
		const known = listOf({ 'patchid:': [first] }, [[first, third]]);
		await known.of({ message });
		assert.equal(known.rows.length, 1);
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
