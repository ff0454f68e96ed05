import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import type { Page } from 'sourcehut/port/page.ts';
import { mailFacts } from '../../src/local/mailFacts.ts';
import { mailNumbers } from '../../src/port/mailNumbers.ts';
import { inSeries, nextPage, numberedMails, ownRow, titleInList } from '../../src/port/numberedMails.ts';

const never = new AbortController().signal;
const nowMs = Date.UTC(2026, 10, 28);
const owner = { canonicalName: 'archive.example', name: 'archive.example' };
const list = { name: 'devel', owner };

function raw(name: string, subject: string, heads: readonly string[] = [], body = 'Text.\n'): Uint8Array {
	const head = ['From: Ann <ann@a.example>', `Subject: ${subject}`, 'Date: Fri, 27 Nov 2026 10:00:00 +0000', ...heads];
	return Buffer.from(`${[...head, ...(name === '' ? [] : [`Message-ID: <${name}@x>`])].join('\n')}\n\n${body}`);
}

suite('mails of an archive', () => {
	const ids = () => mailNumbers(undefined, () => nowMs);
	const read = (mails: readonly Uint8Array[], linkedTo?: string) =>
		numberedMails(ids(), list, mails, never, linkedTo === undefined ? undefined : `<${linkedTo}@x>`);
	const diff = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n';

	test('have the facts of their head, and numbers that searches give them, too', async () => {
		const numbers = ids();
		const [mail] = await numberedMails(numbers, list, [raw('1', '[PATCH] fold', [], diff)], never);
		assert.ok(mail);
		const { envelope, ...facts } = mail;
		const createdMs = Date.UTC(2026, 10, 27, 10);
		assert.deepEqual(facts, {
			id: numbers.numberOf({ inbox: 'devel', messageId: '<1@x>' }, createdMs),
			createdMs,
			subject: '[PATCH] fold',
			messageId: '<1@x>',
			from: 'Ann <ann@a.example>',
			isPatch: true,
			list,
			parentId: undefined,
			threadId: undefined,
			sender: undefined,
			patchsetId: undefined,
			isRequestPull: false,
			replies: 0,
			participants: 0,
		});
		assert.match(envelope, /^From: Ann/);
		const [bare] = await read([Buffer.from('Subject: a\nMessage-ID: <bare@x>\n\nHello\n')]);
		assert.deepEqual([bare?.from, bare?.createdMs, bare?.isPatch], ['', 0, false]);
	});

	test('without a usable Message-ID have the one of their digest, as searches of mailboxes give it', async () => {
		const long = `<${'x'.repeat(300)}@x>`;
		const cases = [
			['', /^<[0-9a-f]{40}@z>$/],
			['Message-ID: bare\n', /^<bare>$/],
			['Message-ID: a b\n', /^<a b>$/],
			['Message-ID: (x) <a@x> <b@x>\n', /^<a@x>$/],
			[`Message-ID: ${long}\n`, /^<[0-9a-f]{40}@z>$/],
		] as const;
		for (const [line, expected] of cases) {
			const bytes = Buffer.from(`Subject: a\n${line}\nHello\n`);
			const [mail] = await read([bytes]);
			assert.match(mail?.messageId ?? '', expected);
			assert.equal(mail?.messageId, (await mailFacts(bytes)).messageId);
		}
	});

	test('of a thread name their nearest known ancestor and the first mail', async () => {
		const mails = await read([
			raw('deep', 'Re: a', ['References: <top@x> <reply@x> <lost@x>', 'In-Reply-To: <gone@x>']),
			raw('reply', 'Re: a', ['References: <top@x> <reply@x>']),
			raw('odd', 'Re: a', ['In-Reply-To: <reply@x>', 'References: <top@x>']),
			raw('top', 'a'),
		]);
		const nameOf = (id: number | undefined) => mails.find((mail) => mail.id === id)?.messageId;
		assert.deepEqual(Object.fromEntries(mails.map(({ messageId, parentId }) => [messageId, nameOf(parentId)])), {
			'<top@x>': undefined,
			'<reply@x>': '<top@x>',
			'<deep@x>': '<reply@x>',
			'<odd@x>': '<reply@x>',
		});
		const [top, ...others] = mails;
		assert.deepEqual([top?.messageId, top?.threadId], ['<top@x>', undefined]);
		assert.ok(others.every(({ threadId }) => threadId === top?.id));
	});

	test('with two texts under one Message-ID stay two, and answers belong to the first', async () => {
		const numbers = ids();
		const texts = [raw('1', 'a', [], 'One.\n'), raw('1', 'a', [], 'Two.\n'), raw('1', 'a', [], 'Three.\n')];
		const mails = await numberedMails(numbers, list, [...texts, raw('2', 'Re: a', ['In-Reply-To: <1@x>'])], never);
		assert.equal(new Set(mails.map(({ id }) => id)).size, 4);
		const first = mails.find(({ envelope }) => envelope.endsWith('One.\n'));
		assert.equal(mails.find(({ messageId }) => messageId === '<2@x>')?.parentId, first?.id);
		const digests = mails.slice(0, 3).map(({ id }) => numbers.mailOf(id)?.text);
		assert.ok(digests.filter((text) => text !== undefined).every((text) => /^[0-9a-f]{16}$/.test(text)));
		assert.equal(digests.filter((text) => text === undefined).length, 1);
	});

	test('of other threads with an equal subject stay away, replies without a parent stay here', async () => {
		const thread = [
			raw('top', 'a'),
			raw('reply', 'Re: a', ['References: <lost@x>', 'In-Reply-To: <top@x>']),
			raw('cousin', 'Re: a', ['References: <lost@x>']),
			raw('stray', 'RE: a'),
			raw('other', 'a'),
			raw('care', 'care: a'),
			raw('answer', 'Re: a', ['References: <other@x>']),
		];
		for (const [linkedTo, names] of [
			['top', ['cousin', 'reply', 'stray', 'top']],
			['other', ['answer', 'other', 'stray']],
			['none', ['stray']],
		] as const) {
			const mails = await read(thread, linkedTo);
			assert.deepEqual(mails.map(({ messageId }) => messageId.slice(1, -3)).toSorted(), names, linkedTo);
		}
		assert.equal((await read(thread)).length, 7);
	});

	test('stop with their reading', async () => {
		const stop = new AbortController();
		const reading = numberedMails(ids(), list, [raw('1', 'a'), raw('2', 'b')], stop.signal);
		stop.abort();
		await assert.rejects(reading, { name: 'AbortError' });
		assert.deepEqual(await read([]), []);
	});
});

suite('rows of posts', () => {
	function row(id: number, subject: string, changes: Partial<ShortEmail> = {}): ShortEmail {
		return {
			id,
			createdMs: id * 60_000,
			subject,
			messageId: `<${id}@x>`,
			parentId: undefined,
			threadId: undefined,
			list,
			sender: undefined,
			from: 'Ann',
			patchsetId: undefined,
			...changes,
		};
	}

	test('join the patches of a series, and lead replies to the newest thread of their title', async () => {
		const items = [
			row(9, '[PATCH 2/2] iron'),
			row(8, '[PATCH 1/2] fold'),
			row(7, '[PATCH 0/2] linen'),
			row(6, 'Question'),
			row(5, '[PATCH 1/2] cotton', { from: 'Bob' }),
			row(4, 'Question', { threadId: 2 }),
			row(3, 'Question'),
		];
		const completeness = { kind: 'more', total: 9 } as const;
		const titles = new Map<string, number>();
		const pages: Page<ShortEmail>[] = [];
		const given = (async function* () {
			yield { items, seen: 12, completeness };
		})();
		for await (const page of inSeries({ owner: 'archive.example', name: 'devel' }, given, titles)) {
			pages.push(page);
		}
		assert.deepEqual(
			pages.map(({ seen, completeness: at }) => [seen, at]),
			[[12, completeness]],
		);
		assert.deepEqual(
			pages[0]?.items.map(({ id, threadId }) => [id, threadId]),
			[
				[9, 7],
				[8, 7],
				[7, undefined],
				[6, undefined],
				[5, undefined],
				[4, 2],
				[3, undefined],
			],
		);
		const threadOf = (subject: string, inbox = 'devel') => titles.get(titleInList(inbox, subject));
		assert.deepEqual(
			['Re: Question', 'RE: re: [PATCH 2/2] iron', 'Aw: [PATCH 0/2] linen', 'Re: other'].map((each) => threadOf(each)),
			[6, 7, 7, undefined],
		);
		assert.equal(threadOf('Question', 'other'), undefined);
	});

	test('from the address of the user show it, unless the name imitates it', () => {
		for (const [from, shown] of [
			['Ann', 'Ann <ann@a.example>'],
			['Ann, of A', '"Ann, of A" <ann@a.example>'],
			[undefined, 'ann@a.example'],
			['ANN@a.example', 'ANN@a.example'],
			['Eve (ann@A.example)', 'Eve (ann@A.example)'],
			// Searches compare words.
			['ann a example', 'ann a example'],
			['Ann_A-Example, Eve', 'Ann_A-Example, Eve'],
			['ann@b.example', 'ann@b.example'],
		] as const) {
			const { from: _, ...nameless } = row(1, 'a');
			const mail = from === undefined ? nameless : row(1, 'a', { from });
			assert.equal(ownRow(mail, ['ann@a.example', 'ann@b.example']).from, shown);
		}
		assert.equal(ownRow(row(1, 'a', { from: 'ann@a.example' }), ['ANN@A.example']).from, 'ann@a.example');
	});

	test('end with a missing or hidden list, and fail with any other failure', async () => {
		async function* failing(reason: Error): AsyncGenerator<Page<number>, void, undefined> {
			yield await Promise.reject<Page<number>>(reason);
		}
		for (const kind of ['notFound', 'notAllowed'] as const) {
			assert.equal(await nextPage(failing(new ForgeError({ kind }))), undefined);
		}
		const away: Problem = { kind: 'serverError', status: 500 };
		await assert.rejects(nextPage(failing(new ForgeError(away))), ForgeError);
		await assert.rejects(nextPage(failing(new RangeError('notFound'))), RangeError);
		const page = { items: [1], seen: 1, completeness: { kind: 'complete' } } as const;
		const pages = (async function* () {
			yield page;
		})();
		assert.equal(await nextPage(pages), page);
		assert.equal(await nextPage(pages), undefined);
	});
});
