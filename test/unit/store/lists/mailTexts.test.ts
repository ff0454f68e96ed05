import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { Email } from 'sourcehut/port/list.ts';
import type { MailReader } from 'patchmail/mail/mailReader.ts';
import type { MailReading } from 'patchmail/mail/readableMail.ts';
import { keptMails, type KeptMails } from '../../../../src/store/lists/keptMails.ts';
import { listMailTexts, type MailTexts } from '../../../../src/store/lists/listMailTexts.ts';
import { ListStore } from '../../../../src/store/lists/listStore.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeLists, type FakeListWorld } from '../../../support/fakeLists.ts';
import { makeMail } from '../../../support/makeMail.ts';
import { textsInMemory } from '../../../support/textsInMemory.ts';
import { makeReading } from '../../../support/makeSeries.ts';
import { journalInMemory } from '../../../support/journalInMemory.ts';

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const minute = 60_000;

interface Rig {
	readonly world: FakeListWorld;
	readonly lists: ListStore;
	readonly texts: MailTexts;
	/** Subject of every parsed message, with `whole` for a parse without size limit. */
	readonly readings: string[];
	/** Messages that are too large unless parsed whole, by id. */
	readonly large: Set<string>;
}

function rig(count = 0, clock = fakeClock(), disk?: KeptMails): Rig {
	const { world, api } = fakeLists();
	for (let id = 1; id <= count; id += 1) {
		world.mails.push(makeMail({ id, subject: `Mail ${id}`, envelope: `Subject: Mail ${id}\r\n\r\nText ${id}\r\n` }));
	}
	const lists = new ListStore({ journal: journalInMemory(), api, me: '~alice', followed: keptNames(), disk });
	const readings: string[] = [];
	const large = new Set<string>();
	const reader: MailReader = {
		async readMail(envelope, { evenIfLarge }) {
			const subject = /^Subject: (.*)\r$/m.exec(envelope)?.[1] ?? '';
			readings.push(evenIfLarge ? `${subject} whole` : subject);
			const reading: MailReading =
				large.has(subject) && !evenIfLarge
					? { kind: 'raw', reason: 'tooLarge', text: envelope }
					: makeReading({ subject });
			return await Promise.resolve(reading);
		},
		attachment: (_, index) => Promise.resolve(index === 0 ? new Uint8Array([1]) : undefined),
	};
	return { world, lists, texts: listMailTexts(lists, reader, clock), readings, large };
}

const offline = (): ForgeError => new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' });

const emails = ({ calls }: FakeListWorld): readonly string[] => calls.filter((call) => call.startsWith('email '));

suite('message texts', () => {
	test('need no request in another window, online or offline', async () => {
		const disk = keptMails(textsInMemory(), fakeClock());
		const before = await rig(2, fakeClock(), disk).texts.read(1, never);
		const after = rig(2, fakeClock(), disk);
		after.world.before = () => Promise.reject(offline());
		assert.deepEqual((await after.texts.read(1, never)).mail, before.mail);
		assert.deepEqual(after.world.calls, []);
		await assert.rejects(after.texts.read(2, never), { problem: offline().problem });
	});

	test('on disk load while the forge is offline', async () => {
		const disk = keptMails(textsInMemory(), fakeClock());
		await rig(9, fakeClock(), disk).texts.readAll([3, 6, 9], never);
		const after = rig(9, fakeClock(), disk);
		after.world.before = () => Promise.reject(offline());
		await assert.rejects(after.texts.readAll([1, 2, 3, 4, 5, 6, 7, 8, 9], never));
		assert.deepEqual(
			[1, 2, 3, 4, 5, 6, 7, 8, 9].filter((id) => after.texts.known(id)),
			[3, 6, 9],
		);
	});

	test('store the patchset of a message when it becomes known later', async () => {
		const texts = textsInMemory();
		const { lists, world } = rig(0, fakeClock(), keptMails(texts, fakeClock()));
		const mail = makeMail({ id: 1 });
		for (const patchsetId of [undefined, 12]) {
			world.mails.splice(0, 1, { ...mail, patchsetId });
			lists.forget(devel);
			await lists.thread(devel, 1, never);
		}
		assert.equal((await keptMails(texts, fakeClock()).mail(1))?.patchsetId, 12);
	});

	test('request a recent patch again in another window until it has a patchset', async () => {
		const [texts, clock] = [textsInMemory(), fakeClock()];
		const patch = makeMail({ id: 1, createdMs: clock.nowMs() - minute, subject: '[PATCH 1/2] One', isPatch: true });
		const counts: (number | undefined)[] = [];
		const calls: string[] = [];
		for (const patchsetId of [undefined, 12, 12]) {
			const { lists, world } = rig(0, clock, keptMails(texts, clock));
			world.mails.push({ ...patch, patchsetId });
			counts.push((await lists.mails.mail(1, never)).patchsetId);
			calls.push(...emails(world));
		}
		assert.deepEqual(
			[counts, calls],
			[
				[undefined, 12, 12],
				['email 1', 'email 1'],
			],
		);
	});

	test('include a recent patch in another window while the forge is offline', async () => {
		const [texts, clock] = [textsInMemory(), fakeClock()];
		const patch = (id: number): Email =>
			makeMail({ id, createdMs: clock.nowMs() - minute, subject: `[PATCH ${id}/2] One`, isPatch: true });
		const before = rig(0, clock, keptMails(texts, clock));
		before.world.mails.push(patch(1), patch(2));
		await before.texts.readAll([1, 2], never);
		const after = rig(0, clock, keptMails(texts, clock));
		after.world.before = () => Promise.reject(offline());
		assert.deepEqual([...(await after.texts.readAll([1, 2], never)).keys()], [1, 2]);
		await assert.rejects(after.texts.readAll([3, 1], never), { problem: offline().problem });
		assert.equal(after.lists.knownMail(1), undefined, 'it is asked for as soon as the forge is back');
	});

	test('store a patch without a patchset after an hour', async () => {
		const [texts, clock] = [textsInMemory(), fakeClock()];
		const patch = makeMail({
			id: 1,
			createdMs: clock.nowMs() - 61 * minute,
			subject: '[PATCH 1/2] One',
			isPatch: true,
		});
		for (const asked of [['email 1'], []]) {
			const { lists, world } = rig(0, clock, keptMails(texts, clock));
			world.mails.push(patch);
			await lists.mails.mail(1, never);
			assert.deepEqual(emails(world), asked);
		}
	});

	test('store a patch with its late patchset in a window that never read it', async () => {
		const [texts, clock] = [textsInMemory(), fakeClock()];
		const patch = makeMail({ id: 1, subject: '[PATCH 1/2] One', isPatch: true });
		const window = (patchsetId: number | undefined): Rig => {
			const made = rig(0, clock, keptMails(texts, clock));
			made.world.mails.push({ ...patch, patchsetId });
			return made;
		};
		await window(undefined).lists.mails.mail(1, never);
		await window(12).lists.thread(devel, 1, never);
		const last = window(12);
		assert.equal((await last.lists.mails.mail(1, never)).patchsetId, 12);
		assert.deepEqual(last.world.calls, []);
	});

	test('add the patchset to a cover letter when its series loads', async () => {
		const { lists, world } = rig();
		const cover = makeMail({ id: 1, subject: '[PATCH 0/1] All' });
		world.mails.push(cover);
		await lists.mails.mail(1, never);
		const part = { id: 2, parentId: 1, threadId: 1, patchsetId: 12, isPatch: true };
		world.series.set(12, [makeMail({ ...part, subject: '[PATCH 1/1] One' })]);
		assert.equal((await lists.series({ list: devel, id: 12 }, never)).cover?.patchsetId, 12);
		assert.equal(lists.knownMail(1)?.patchsetId, 12);
	});

	test('request and parse a message once for concurrent and later readers', async () => {
		const { world, texts, readings } = rig(1);
		const [one, other] = await Promise.all([texts.read(1, never), texts.read(1, never)]);
		assert.equal(one, other);
		assert.equal(await texts.read(1, never), one);
		assert.equal(texts.known(1), one);
		assert.deepEqual([emails(world), readings], [['email 1'], ['Mail 1']]);
	});

	test('know nothing of an unread message', () => {
		assert.equal(rig(1).texts.known(1), undefined);
	});

	test('load in parallel with four requests, once each', async () => {
		const { world, texts } = rig(20);
		let open = 0;
		let most = 0;
		world.before = async () => {
			open += 1;
			most = Math.max(most, open);
			await new Promise((resolve) => setImmediate(resolve));
			open -= 1;
		};
		const ids = [...world.mails.map(({ id }) => id), 3, 4];
		const read = await texts.readAll(ids, never);
		assert.deepEqual([read.size, emails(world).length, most], [20, 20, 4]);
	});

	for (const kind of ['notFound', 'notAllowed'] as const) {
		test(`skip a message with the error ${kind} and load the others`, async () => {
			const { world, texts } = rig(5);
			world.before = (call) => {
				if (call === 'email 2') {
					throw new ForgeError({ kind });
				}
			};
			const read = await texts.readAll([1, 2, 3, 4, 5], never);
			assert.deepEqual(new Set(read.keys()), new Set([1, 3, 4, 5]));
		});
	}

	test('parse already loaded messages before they report an unavailable forge', async () => {
		const { world, lists, texts, readings } = rig(12);
		await lists.mails.mail(12, never);
		const problem: Problem = { kind: 'unreachable', reason: 'offline', host: 'forge.test' };
		world.before = () => {
			throw new ForgeError(problem);
		};
		world.calls.length = 0;
		const failing = texts.readAll(
			world.mails.map(({ id }) => id),
			never,
		);
		await assert.rejects(failing, (error) => error instanceof ForgeError && error.problem === problem);
		assert.deepEqual(readings, ['Mail 12']);
		assert.ok(emails(world).length <= 4, 'nobody asks for the rest of them one by one');
		assert.equal(texts.known(12)?.mail.id, 12);
	});

	test('cancel only the reader that aborts', async () => {
		const { world, texts } = rig(2);
		const gate = Promise.withResolvers<void>();
		world.before = () => gate.promise;
		const abort = new AbortController();
		const given = texts.readAll([1, 2], abort.signal);
		const kept = texts.read(1, never);
		abort.abort();
		await assert.rejects(given, { name: 'AbortError' });
		gate.resolve();
		assert.equal((await kept).mail.id, 1);
	});

	test('parse an oversized message whole on demand, and keep the result', async () => {
		const { texts, readings, large } = rig(1);
		large.add('Mail 1');
		const heard: number[] = [];
		texts.onDidRead((id) => heard.push(id));
		assert.equal((await texts.read(1, never)).reading.kind, 'raw');
		assert.equal((await texts.readWhole(1, never)).reading.kind, 'read');
		assert.equal((await texts.read(1, never)).reading.kind, 'read');
		assert.equal((await texts.readWhole(1, never)).reading.kind, 'read');
		assert.deepEqual(
			[readings, heard],
			[
				['Mail 1', 'Mail 1 whole'],
				[1, 1],
			],
		);
	});

	test('keep the whole text when an earlier limited parse ends later', async () => {
		const { world, api } = fakeLists();
		world.mails.push(makeMail({ id: 1 }));
		const lists = new ListStore({ journal: journalInMemory(), api, me: '~alice', followed: keptNames() });
		const late = Promise.withResolvers<MailReading>();
		const texts = listMailTexts(
			lists,
			{
				readMail: (_, { evenIfLarge }) => (evenIfLarge ? Promise.resolve(makeReading()) : late.promise),
				attachment: () => Promise.resolve(undefined),
			},
			fakeClock(),
		);
		const first = texts.read(1, never);
		await texts.readWhole(1, never);
		late.resolve({ kind: 'raw', reason: 'tooSlow', text: '' });
		assert.equal((await first).reading.kind, 'read');
		assert.equal(texts.known(1)?.reading.kind, 'read');
	});

	test('cache a message larger than the whole cache', async () => {
		const { world, api } = fakeLists();
		const large = 'x'.repeat(70_000_000);
		world.mails.push(makeMail({ id: 1, envelope: large }), makeMail({ id: 2 }));
		const lists = new ListStore({ journal: journalInMemory(), api, me: '~alice', followed: keptNames() });
		const reader: MailReader = {
			readMail: (envelope) => Promise.resolve(makeReading({ body: envelope, text: envelope })),
			attachment: () => Promise.resolve(undefined),
		};
		const texts = listMailTexts(lists, reader, fakeClock());
		const read = await texts.read(1, never);
		assert.ok(texts.known(1) === read);
		assert.ok(lists.knownMail(1) === read.mail);
		await texts.read(2, never);
		assert.equal(texts.known(2)?.mail.id, 2);
	});

	test('parse a failed message once more, because the machine may have slept or the worker crashed', async () => {
		const { world, api } = fakeLists();
		world.mails.push(...[1, 2, 3].map((id) => makeMail({ id, subject: `Mail ${id}` })));
		const lists = new ListStore({ journal: journalInMemory(), api, me: '~alice', followed: keptNames() });
		const tries = new Map<string, number>();
		const slow = { kind: 'raw', reason: 'tooSlow', text: '' } as const;
		const reader: MailReader = {
			readMail: (envelope, { evenIfLarge }) => {
				const subject = `${/Subject: (.*)\r/.exec(envelope)?.[1] ?? ''}${evenIfLarge ? ' whole' : ''}`;
				const count = (tries.get(subject) ?? 0) + 1;
				tries.set(subject, count);
				const unreadable = { kind: 'raw', reason: 'unreadable', text: '' } as const;
				return Promise.resolve(
					subject.startsWith('Mail 3')
						? unreadable
						: subject.startsWith('Mail 2') || count === 1
							? slow
							: makeReading(),
				);
			},
			attachment: () => Promise.resolve(undefined),
		};
		const texts = listMailTexts(lists, reader, fakeClock());
		const heard: number[] = [];
		texts.onDidRead((id) => heard.push(id));
		const kinds = async (): Promise<readonly unknown[]> => {
			const read = await texts.readAll([1, 2, 3], never);
			return [1, 2, 3].map((id) => read.get(id)?.reading.kind);
		};
		assert.deepEqual(await kinds(), ['read', 'raw', 'raw']);
		assert.deepEqual(await kinds(), ['read', 'raw', 'raw']);
		assert.deepEqual(
			new Map(tries),
			new Map([
				['Mail 1', 2],
				['Mail 2', 2],
				['Mail 3', 2],
			]),
		);
		assert.deepEqual(new Set(heard), new Set([1, 2, 3]));
		assert.equal((await texts.readWhole(2, never)).reading.kind, 'raw');
		assert.equal(tries.get('Mail 2 whole'), 1, 'who waited long for it does not wait twice');
	});

	test('take an attachment from the loaded message', async () => {
		const { world, texts } = rig(1);
		assert.deepEqual(await texts.attachment(1, 0, never), new Uint8Array([1]));
		assert.equal(await texts.attachment(1, 5, never), undefined);
		assert.deepEqual(emails(world), ['email 1']);
		await assert.rejects(texts.attachment(1, 0, AbortSignal.abort()), { name: 'AbortError' });
	});

	test('yield to other work during hundreds of messages', async () => {
		let now = 0;
		const { texts, lists, world } = rig(300, { ...fakeClock(), nowMs: () => (now += 1) });
		for (const { id } of world.mails) {
			await lists.mails.mail(id, never);
		}
		let turns = 0;
		const state = { isDone: false };
		const others = (async (): Promise<void> => {
			while (!state.isDone) {
				await new Promise((resolve) => setImmediate(resolve));
				turns += 1;
			}
		})();
		await texts.readAll(
			world.mails.map(({ id }) => id),
			never,
		);
		state.isDone = true;
		await others;
		assert.ok(turns > 20, `${turns} turns`);
	});
});
