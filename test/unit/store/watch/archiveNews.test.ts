import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { ArchiveReads } from 'public-inbox/http/archiveReads.ts';
import { archiveLists } from 'public-inbox/port/archiveLists.ts';
import { backgroundLoop } from '../../../../src/store/background/backgroundLoop.ts';
import { requestBudget } from '../../../../src/store/background/requestBudget.ts';
import { watchedName } from '../../../../src/store/inbox/watched.ts';
import { openInbox } from '../../../../src/store/inbox/inbox.ts';
import { listWatch } from '../../../../src/store/watch/listWatch.ts';
import { watchReadings } from '../../../../src/store/watch/watchReadings.ts';
import type { WatchContext } from '../../../../src/store/watch/watchContext.ts';
import { fake } from '../../../support/fake.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { listConnection } from '../../../support/fakeLists.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';
import { passTime } from '../support/passTime.ts';

const minuteMs = 60_000;
const own = 'rea@r.example';

interface Mail {
	readonly id: string;
	readonly subject: string;
	readonly from: string;
	readonly to?: string;
	readonly answers?: string;
	readonly text?: string;
}

/** An archive with one inbox, and the news of a window that follows it. */
function world() {
	const clock = fakeClock();
	const mails: (Mail & { readonly dateMs: number })[] = [];
	const asked: string[] = [];
	const row = ({ id, subject, from, dateMs }: (typeof mails)[number]) => ({
		messageId: `<${id}>`,
		subject,
		author: from.split('@')[0] ?? '',
		dateMs,
	});
	const rawOf = ({
		id,
		subject,
		from,
		to = 'devel@l.example',
		answers,
		text = 'Hello',
		dateMs,
	}: (typeof mails)[number]) =>
		Buffer.from(
			`From: ${from}\nTo: ${to}\nSubject: ${subject}\nMessage-ID: <${id}>\nDate: ${new Date(dateMs).toUTCString()}\n${answers === undefined ? '' : `References: <${answers}>\n`}\n${text}\n`,
		);
	const rootOf = (id: string): string => {
		const { answers } = mails.find((mail) => mail.id === id) ?? {};
		return answers === undefined ? id : rootOf(answers);
	};
	const named = (messageId: string): string => messageId.slice(1, -1);
	const isReply = ({ subject }: Mail): boolean => /^re:/i.test(subject);
	/** Searches compare the words of a path, and find longer paths, too. */
	const hasFile = ({ text = '' }: Mail, query: string): boolean => {
		const paths = Array.from(query.matchAll(/dfn:"([^"]*)"/g), ([, path = '']) => path);
		return paths.length === 0 || paths.some((path) => text.includes(`diff --git`) && text.includes(path));
	};
	const client = fake<ArchiveReads>({
		async search(_, { query, from, rows }) {
			asked.push(query);
			const address = /f:"([^"]*)"/.exec(query)?.[1];
			const hits = mails
				.filter(
					(mail) =>
						(address === undefined || mail.from === address) &&
						(!/NOT s:re:/.test(query) || !isReply(mail)) &&
						(query !== 's:re:' || isReply(mail)) &&
						hasFile(mail, query) &&
						(!/s:patch/.test(query) || mail.subject.startsWith('[PATCH')),
				)
				.toReversed();
			const page = hits.slice(from, from + rows).map(row);
			return { rows: page, from, to: from + page.length, total: hits.length, isEstimate: false, missing: [] };
		},
		async newest() {
			asked.push('new.atom');
			return mails
				.toReversed()
				.slice(0, 25)
				.map((mail) => ({ ...row(mail), address: mail.from, parentId: undefined }));
		},
		async mail(_, messageId) {
			asked.push(messageId);
			return { mails: mails.filter(({ id }) => id === named(messageId)).map(rawOf), isCut: false };
		},
		async thread(_, messageId) {
			asked.push(`thread ${messageId}`);
			return { mails: mails.filter(({ id }) => rootOf(id) === rootOf(named(messageId))).map(rawOf), isCut: false };
		},
	});
	const api = archiveLists(client, 'https://archive.example/', {
		inboxes: () => ['devel'],
		ownAddresses: async () => [own],
		clock,
	});
	const me = { canonicalName: '', name: '', email: own, url: undefined, location: undefined, bio: undefined };
	const connection = listConnection(api, '', keptNames('archive.example/devel'), [me]);
	const owned = new Disposables();
	const budget = requestBudget(() => 600, clock);
	const loop = owned.add(
		backgroundLoop({ isThere: () => true, onDidChange: new Emitter<void>().event }, budget, clock),
	);
	const inbox = owned.add(openInbox(keptInMemory(), new Emitter<void>().event, clock));
	const readings = owned.add(watchReadings({ loop, budget }, clock));
	const { lists, texts, people, reviews } = connection;
	owned.add(
		listWatch(
			fake<WatchContext>({
				lists,
				texts,
				people,
				reviews,
				inbox,
				background: { loop, budget },
				readings,
				me: '',
				clock,
				random: () => 0.5,
			}),
			false,
		),
	);
	return {
		asked,
		/** `lateMs`: the age of its date when it arrives. */
		send: (mail: Mail, lateMs = 0): void => void mails.push({ ...mail, dateMs: clock.nowMs() - lateMs }),
		pass: (ms: number): Promise<void> => passTime(clock, ms),
		told: (): readonly string[] =>
			inbox
				.items()
				.map(
					({ entry: { thing, reason, event } }) =>
						`${'subject' in thing ? thing.subject : ''}: ${reason} ${event.kind}`,
				)
				.toSorted(),
		watchList: (): void => {
			const ref = { owner: 'archive.example', name: 'devel' };
			inbox.choose(watchedName({ kind: 'list', ref }), 'everything');
		},
		watch: (path: string): void => {
			const list = { owner: 'archive.example', name: 'devel' };
			inbox.choose(watchedName({ kind: 'file', list, path }), 'everything');
		},
		dispose: () => owned.dispose(),
	};
}

const patchOf = (path: string): string =>
	`Text.\n---\ndiff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-one\n+two\n`;
const patch = patchOf('a.txt');

suite('news of an archive', function () {
	this.timeout(30_000);

	test('a quiet list takes one request per round', async () => {
		const { asked, send, pass, dispose } = world();
		send({ id: 'one@a.example', subject: 'A question', from: 'ann@a.example' });
		await pass(20 * minuteMs);
		asked.length = 0;
		await pass(60 * minuteMs);
		const rounds = asked.filter((each) => each === 'new.atom').length;
		assert.ok(rounds >= 5 && rounds <= 13, String(rounds));
		// Once an hour the own mails count, too.
		assert.ok(asked.length <= rounds + 1, asked.join('\n'));
		dispose();
	});

	test('replies to own mails come to the inbox, and others do not', async () => {
		const { send, pass, told, dispose } = world();
		send({ id: 'mine@r.example', subject: '[PATCH] mine', from: own, text: patch });
		send({ id: 'other@a.example', subject: '[PATCH] other', from: 'ann@a.example', text: patch });
		await pass(20 * minuteMs);
		assert.deepEqual(told(), []);
		send({
			id: 'r1@a.example',
			subject: 'Re: [PATCH] mine',
			from: 'ann@a.example',
			to: own,
			answers: 'mine@r.example',
		});
		send({ id: 'r2@b.example', subject: 'Re: [PATCH] other', from: 'bob@b.example', answers: 'other@a.example' });
		send({ id: 'r3@r.example', subject: 'Re: [PATCH] mine', from: own, to: own, answers: 'r1@a.example' });
		await pass(30 * minuteMs);
		assert.equal(told().length, 1, told().join('\n'));
		assert.match(told()[0] ?? '', /mine: \w+ mailArrived$/);
		dispose();
	});

	test('a series on a list with the choice everything makes one entry', async () => {
		const { send, pass, told, watchList, dispose } = world();
		send({ id: 'old@a.example', subject: 'Hello', from: 'ann@a.example' });
		watchList();
		await pass(20 * minuteMs);
		send({ id: 'c@a.example', subject: '[PATCH 0/2] Tidy', from: 'ann@a.example' });
		send({ id: '1@a.example', subject: '[PATCH 1/2] one', from: 'ann@a.example', answers: 'c@a.example', text: patch });
		send({ id: '2@a.example', subject: '[PATCH 2/2] two', from: 'ann@a.example', answers: 'c@a.example', text: patch });
		await pass(60 * minuteMs);
		assert.deepEqual(told(), ['Tidy: followed patchsetReceived']);
		dispose();
	});

	test('a series with a patch of a watched file comes to the inbox once, and patches of other files do not', async () => {
		const { send, pass, told, watch, asked, dispose } = world();
		send({ id: 'old@a.example', subject: '[PATCH] old', from: 'ann@a.example', text: patchOf('src/A.c') });
		await pass(20 * minuteMs);
		watch('src/A.c');
		watch('b.c');
		await pass(80 * minuteMs);
		asked.length = 0;
		await pass(50 * minuteMs);
		assert.deepEqual([asked.filter((query) => query.includes('dfn:')), told()], [[], []]);
		send({ id: 'c@a.example', subject: '[PATCH v2 0/3] Tidy', from: 'ann@a.example' });
		const series = { from: 'ann@a.example', answers: 'c@a.example' };
		send({ ...series, id: '1@a.example', subject: '[PATCH v2 1/3] one', text: patchOf('lib/src/A.c') });
		send({ ...series, id: '2@a.example', subject: '[PATCH v2 2/3] two', text: patchOf('src/A.c') });
		send({ ...series, id: '3@a.example', subject: '[PATCH v2 3/3] three', text: patchOf('src/A.c') });
		send({ id: 'x@b.example', subject: '[PATCH] longer', from: 'bob@b.example', text: patchOf('lib/src/A.c') });
		send({ id: 'y@b.example', subject: '[PATCH] case', from: 'bob@b.example', text: patchOf('src/a.c') });
		send({ id: 'z@r.example', subject: '[PATCH] own', from: own, text: patchOf('b.c') });
		await pass(60 * minuteMs);
		assert.deepEqual(told(), ['Tidy: watchedFile patchsetReceived']);
		assert.equal(asked.filter((query) => query.includes('dfn:')).length, 1, asked.join('\n'));
		asked.length = 0;
		send({ id: 'n@b.example', subject: '[PATCH] both', from: 'bob@b.example', text: patchOf('b.c') });
		await pass(60 * minuteMs);
		assert.deepEqual(told(), ['Tidy: watchedFile patchsetReceived', 'both: watchedFile patchsetReceived']);
		assert.deepEqual(
			asked.filter((query) => query.startsWith('thread')),
			['thread <n@b.example>'],
		);
		dispose();
	});

	test('a reply with an older date than the newest message is news, also after one of the future', async () => {
		const { send, pass, told, dispose } = world();
		send({ id: 'mine@r.example', subject: '[PATCH] mine', from: own, text: patch });
		send({ id: 'far@a.example', subject: 'From the future', from: 'ann@a.example' }, -1_000_000 * minuteMs);
		await pass(60 * minuteMs);
		send({ id: 'new@a.example', subject: 'Another question', from: 'ann@a.example' });
		await pass(20 * minuteMs);
		assert.deepEqual(told(), []);
		const late = { subject: 'Re: [PATCH] mine', from: 'ann@a.example', to: own, answers: 'mine@r.example' };
		send({ ...late, id: 'r1@a.example' }, 40 * minuteMs);
		await pass(30 * minuteMs);
		assert.equal(told().length, 1, told().join('\n'));
		dispose();
	});

	test('a reply in a thread with an own reply comes to the inbox', async () => {
		const { send, pass, told, dispose } = world();
		send({ id: 'one@a.example', subject: '[PATCH] fold', from: 'ann@a.example', text: patch });
		send({ id: 'r1@r.example', subject: 'Re: [PATCH] fold', from: own, answers: 'one@a.example' });
		await pass(80 * minuteMs);
		assert.deepEqual(told(), []);
		send({ id: 'r2@b.example', subject: 'Re: [PATCH] fold', from: 'bob@b.example', answers: 'r1@r.example' });
		await pass(30 * minuteMs);
		assert.deepEqual(told(), ['fold: participating mailArrived']);
		dispose();
	});

	test('a new version of a patchset with an own reply comes to the inbox, and one of another person does not', async () => {
		const { send, pass, told, dispose } = world();
		send({ id: 'one@a.example', subject: '[PATCH] fold', from: 'ann@a.example', text: patch });
		send({ id: 'r1@r.example', subject: 'Re: [PATCH] fold', from: own, answers: 'one@a.example' });
		await pass(80 * minuteMs);
		assert.deepEqual(told(), []);
		send({ id: 'eve@e.example', subject: '[PATCH v2] fold', from: 'ann@evil.example', text: patch });
		await pass(20 * minuteMs);
		assert.deepEqual(told(), []);
		send({ id: 'two@a.example', subject: '[PATCH v3] fold', from: 'ann@a.example', text: patch });
		await pass(20 * minuteMs);
		assert.equal(told().length, 1, told().join('\n'));
		assert.match(told()[0] ?? '', /^fold: \w+ patchsetReceived$/);
		dispose();
	});
});
