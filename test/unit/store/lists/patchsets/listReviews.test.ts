import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import type { Email, Patchset, PatchsetRef } from 'sourcehut/port/list.ts';
import { patchId } from 'patchmail/patch/patchId.ts';
import { formedPatchsetId } from 'patchmail/series/listedPatchset.ts';
import type { KeptText } from '../../../../../src/store/shared/keptText.ts';
import type { MailReader } from 'patchmail/mail/mailReader.ts';
import { addressPair } from 'patchmail/series/samePeople.ts';
import { ListStore } from '../../../../../src/store/lists/listStore.ts';
import { failureOfMails, type PatchsetReview } from '../../../../../src/store/lists/patchsets/patchsetReview.ts';
import { keptInMemory } from '../../../../support/keptInMemory.ts';
import { keptNames } from '../../../../support/fakeConnection.ts';
import { fakeLists, listConnection, type FakeListWorld } from '../../../../support/fakeLists.ts';
import { makeList, makeMail, makePatchset } from '../../../../support/makeMail.ts';
import { makeReading, patchText } from '../../../../support/makeSeries.ts';
import { makeUser } from '../../../../support/makeTicket.ts';
import { mailStores, readerHere, type MailStores } from '../../../../support/mailStores.ts';
import { journalInMemory } from '../../../../support/journalInMemory.ts';

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const refOf = (id: number): PatchsetRef => ({ list: devel, id });

interface Rig extends MailStores {
	readonly world: FakeListWorld;
	readonly lists: ListStore;
	/** Patchsets whose review may have changed. */
	readonly heard: number[];
}

function rig(
	world: (world: FakeListWorld) => void = wholeWorld,
	links: KeptText = keptInMemory(),
	asRow = (patchset: Patchset): Patchset => patchset,
): Rig {
	const fake = fakeLists();
	world(fake.world);
	const { forge } = listConnection(fake.api);
	const api: ListApi = {
		...fake.api,
		async *patchsets(ref, signal) {
			for await (const page of fake.api.patchsets(ref, signal)) {
				yield { ...page, items: page.items.map(asRow) };
			}
		},
	};
	const lists = new ListStore({ journal: journalInMemory(), api, me: '~alice', followed: keptNames() });
	const stores = mailStores({ lists, forge, links });
	const heard: number[] = [];
	stores.reviews.onDidChange(({ id }) => heard.push(id));
	return { world: fake.world, lists, heard, ...stores };
}

/** A message with the headers of an email program. */
function written(change: Partial<Email> & { readonly text: string; readonly from?: string }): Email {
	const { text, from = 'Bob Builder <bob@forge.test>', ...rest } = change;
	const mail = makeMail({ list: { name: 'devel', owner: makeUser('alice') }, ...rest });
	const lines = text.replaceAll('\n', '\r\n');
	return { ...mail, envelope: `From: ${from}\r\nSubject: ${mail.subject}\r\n\r\n${lines}\r\n` };
}

/** A series of two with its cover letter, from message `first` on, and its replies. */
function series(version: number, first: number, message = ''): readonly Email[] {
	const tag = version === 1 ? 'PATCH proj' : `PATCH proj v${version}`;
	return [
		written({ id: first, subject: `[${tag} 0/2] Improve the modules`, text: 'The reasons.' }),
		...[1, 2].map((index) =>
			written({
				id: first + index,
				subject: `[${tag} ${index}/2] Part ${index}`,
				parentId: first,
				threadId: first,
				isPatch: true,
				text: patchText(`file${index}`, index === 1 ? message : ''),
			}),
		),
	];
}

/** Patchset 1 (messages 10 to 12, reply 13) and patchset 2, its second version (messages 20 to 22). */
function wholeWorld(world: FakeListWorld): void {
	const [first, second] = [series(1, 10, 'Fixes: ~alice/tasks#4'), series(2, 20)];
	const review = written({
		id: 13,
		subject: 'Re: [PATCH proj 2/2] Part 2',
		parentId: 12,
		threadId: 10,
		sender: makeUser('carol'),
		from: 'Carol <carol@forge.test>',
		text: 'Good.\n\nReviewed-by: Carol <carol@forge.test>\n\nCompare ~alice/tasks#5.',
	});
	world.mails.push(review, ...first.toReversed(), ...second);
	world.series.set(1, [first[2]!, first[1]!]);
	world.series.set(2, second.slice(1));
	world.patchsets.set('~alice/devel', [makePatchset({ id: 2, version: 2 }), makePatchset({ id: 1 })]);
}

/** A reply to a message missing from the list, so it begins a thread. */
function stray(id: number, subject: string, references: string): Email {
	const tested = written({
		id,
		subject,
		from: 'Dave <dave@forge.test>',
		text: 'Fine.\n\nTested-by: Dave <dave@forge.test>',
	});
	return { ...tested, envelope: `References: ${references}\r\n${tested.envelope}` };
}

/** A review in comparable form. */
function told({ patchset, series, mails, threadId, trailers, versions, suggestions, tickets }: PatchsetReview): object {
	return {
		status: patchset.status,
		cover: series.cover?.id,
		patches: series.patches.map(({ index, mail }) => [index, mail.id]),
		stat: series.stat,
		mails: mails.map(({ id }) => id).toSorted((a, b) => a - b),
		threadId,
		trailers: trailers.map(({ key, value, patchIndexes }) => [key, value, patchIndexes]),
		versions: versions.map(({ patchset, link }) => [patchset.id, link]),
		suggestions: suggestions.map(({ kind }) => kind),
		tickets: tickets.map(({ owner, name, id }) => `${owner}/${name}#${id}`),
	};
}

const whole = {
	status: 'proposed',
	cover: 10,
	patches: [
		[1, 11],
		[2, 12],
	],
	stat: { files: 2, added: 2, removed: 0 },
	mails: [10, 11, 12, 13],
	threadId: 10,
	trailers: [['Reviewed-by', 'Carol <carol@forge.test>', [2]]],
	versions: [
		[1, undefined],
		[2, 'subject'],
	],
	suggestions: ['superseded'],
	tickets: ['~alice/tasks#4'],
};

suite('patchset reviews', () => {
	test('combine series, thread, trailers, versions, tickets and suggestions in any message order', async () => {
		const { reviews } = rig();
		assert.equal(reviews.known(refOf(1)), undefined);
		const standing = await reviews.read(refOf(1), never);
		assert.deepEqual(told(standing), whole);
		assert.deepEqual(standing.failures, []);
		assert.equal(reviews.known(refOf(1)), standing);
	});

	/** Trailers with the earlier version they were given for. */
	function trailersIn({ trailers }: PatchsetReview): readonly unknown[] {
		return trailers.map(({ key, patchIndexes, mailId, earlierVersion }) => [key, patchIndexes, mailId, earlierVersion]);
	}

	test('an unchanged patch keeps trailers of the earlier version once that version loads', async () => {
		const { reviews, heard } = rig();
		assert.deepEqual(trailersIn(await reviews.read(refOf(2), never)), []);
		heard.length = 0;
		const review = await reviews.readWithEarlier(refOf(2), never);
		assert.deepEqual(trailersIn(review), [['Reviewed-by', [2], 13, 1]]);
		assert.deepEqual([reviews.known(refOf(2)), await reviews.read(refOf(2), never)], [review, review]);
		assert.deepEqual(
			heard.filter((id) => id === 2),
			[2],
		);
		assert.equal(await reviews.readWithEarlier(refOf(2), never), review);
		assert.deepEqual(trailersIn(await reviews.readWithEarlier(refOf(1), never)), [['Reviewed-by', [2], 13, undefined]]);
	});

	test('rows without the address of their sender become versions when they are read', async () => {
		const asRow = (each: Patchset): Patchset => ({
			...each,
			createdMs: each.createdMs - 1000,
			submitter: 'Bob Builder',
			isGuess: true,
		});
		const { reviews } = rig(wholeWorld, keptInMemory(), asRow);
		const links = ({ versions }: PatchsetReview): readonly unknown[] =>
			versions.map(({ patchset, link }) => [patchset.id, link]);
		assert.deepEqual(links(await reviews.read(refOf(2), never)), [[2, undefined]], 'a name proves nothing');
		const review = await reviews.readWithEarlier(refOf(2), never);
		assert.deepEqual(links(review), [
			[1, 'subject'],
			[2, undefined],
		]);
		assert.deepEqual(trailersIn(review), [['Reviewed-by', [2], 13, 1]]);
	});

	test('a trailer that the sender copied into a changed patch is for other bytes', async () => {
		const { reviews } = rig((world) => {
			wholeWorld(world);
			const copied = 'Why.\n\nReviewed-by: Carol <carol@forge.test>\nAcked-by: Carol <carol@forge.test>';
			const text = patchText('file2', copied).replace('+two', '+TWO');
			const at = world.mails.findIndex(({ id }) => id === 22);
			const changed = written({ ...world.mails[at]!, text });
			world.mails[at] = changed;
			world.series.set(2, [...world.series.get(2)!.filter(({ id }) => id !== 22), changed]);
		});
		const bytesIn = ({ trailers }: PatchsetReview): readonly unknown[] => trailers.map(({ bytes }) => bytes);
		assert.deepEqual(
			bytesIn(await reviews.read(refOf(2), never)),
			[undefined, undefined],
			'no earlier version was read',
		);
		const from = { version: 1, patchsetId: 1, index: 2, mailId: 12 };
		assert.deepEqual(bytesIn(await reviews.readWithEarlier(refOf(2), never)), [
			[{ index: 2, kind: 'other', mailId: 13, version: 1, from }],
			[{ index: 2, kind: 'unknown', reason: 'noMail' }],
		]);
	});

	test('a second address counts while confirmed or proven, on earlier versions too', async () => {
		const { reviews, heard } = rig((world) => {
			wholeWorld(world);
			const text = 'Acked-by: Carol <carol@work.test>';
			const [id, subject] = [14, 'Re: [PATCH proj 2/2] Part 2'];
			const from = 'Carol <carol@forge.test>';
			world.mails.push(written({ id, subject, parentId: 12, threadId: 10, from, text }));
		});
		const doubtsIn = ({ trailers }: PatchsetReview): readonly unknown[] =>
			trailers.flatMap(({ key, isForOther }) => (key === 'Acked-by' ? [isForOther] : []));
		const both = ['carol@work.test', 'carol@forge.test'] as const;
		const [one, two] = [refOf(1), refOf(2)];
		const now = (): readonly unknown[] => [one, two].map((ref) => doubtsIn(reviews.known(ref)!));
		await reviews.readWithEarlier(two, never);
		assert.deepEqual(now(), [[true], []]);
		assert.deepEqual(
			[one, two].map((ref) => reviews.doubts(ref).map(({ named }) => named.address)),
			[['carol@work.test'], ['carol@work.test']],
		);
		heard.length = 0;
		reviews.prove(two, new Set([addressPair(...both)]));
		assert.deepEqual([now(), heard], [[[true], [false]], [2]], 'the clone of one patchset proves nothing for another');
		reviews.prove(two, new Set());
		heard.length = 0;
		await reviews.samePeople.confirm(both);
		assert.deepEqual(
			[now(), heard.toSorted((a, b) => a - b)],
			[
				[[false], [false]],
				[1, 2],
			],
		);
		assert.deepEqual([reviews.doubts(two), reviews.samePeople.all()], [[], [both]]);
		await reviews.samePeople.forget([['carol@forge.test', 'carol@work.test']]);
		assert.deepEqual([now(), reviews.samePeople.all()], [[[true], []], []]);
	});

	test('an earlier version that fails to load is reported, and the next read finds its trailers', async () => {
		const { reviews, world } = rig();
		const error = new ForgeError({ kind: 'serverError', status: 500 });
		world.before = (call) => {
			if (call === 'thread 10') {
				throw error;
			}
		};
		const failed = await reviews.readWithEarlier(refOf(2), never);
		assert.deepEqual(
			[trailersIn(failed), failed.failures, failureOfMails(failed)],
			[[], [{ part: 'earlierReplies', error }], undefined],
		);
		world.before = () => undefined;
		const found = await reviews.readWithEarlier(refOf(2), never);
		assert.deepEqual([trailersIn(found), found.failures], [[['Reviewed-by', [2], 13, 1]], []]);
	});

	test('prerequisites are the patchsets of the stated patches, messages and series, never own versions', async () => {
		const other = patchText('other');
		const diff = other.slice(other.indexOf('diff --git'), other.indexOf('-- \n'));
		const lines = [
			`prerequisite-patch-id: ${patchId(diff)}`,
			`prerequisite-patch-id: ${'0'.repeat(40)}`,
			'Depends-on: <mail10@forge.test>',
			'prerequisite-message-id: <none@forge.test>',
			'prerequisite-message-id: <mail20@forge.test>',
		];
		const { reviews, world } = rig((made) => {
			retitled(lines.join('\n'), 'Bob Builder <bob@forge.test>')(made);
			const part = written({ id: 50, subject: '[PATCH proj] Other', isPatch: true, text: other });
			made.mails.push(part);
			made.series.set(5, [part]);
			made.mails.forEach((mail, at) => {
				const patchsetId = { 10: 1, 20: 2, 30: 3 }[mail.id] ?? mail.patchsetId;
				made.mails[at] = { ...mail, messageId: `<mail${mail.id}@forge.test>`, patchsetId };
			});
			const [third, ...rest] = made.patchsets.get('~alice/devel') ?? [];
			const fifth = makePatchset({
				id: 5,
				subject: 'Other',
				submitter: third!.submitter,
				messageId: '<mail50@forge.test>',
			});
			made.patchsets.set('~alice/devel', [third!, fifth, ...rest]);
		});
		const found = async (): Promise<readonly unknown[]> =>
			(await reviews.prerequisites(refOf(3), never)).map(({ dependency, patchset }) => [dependency.kind, patchset?.id]);
		const expected = [
			['patch', 5],
			['patch', undefined],
			['mail', 1],
			['mail', undefined],
			['mail', 2],
		];
		assert.deepEqual(await found(), expected);
		world.before = (call) => assert.notEqual(call, 'series 5', 'read once');
		await reviews.linkVersions(refOf(3), refOf(2));
		// Patchset 1 is a version of patchset 2.
		assert.deepEqual(await found(), [expected[0], expected[1], expected[3]]);
	});

	test('a version that only a stranger claims adds no trailers', async () => {
		const { reviews } = rig(retitled(linkTo(1), 'Mallory <mallory@evil.test>'));
		const { versions, trailers } = await reviews.readWithEarlier(refOf(3), never);
		assert.deepEqual([versions.map(({ link }) => link).includes('claimed'), trailers], [true, []]);
	});

	test('a version sent as a reply appears with all versions, in any thread', async () => {
		const { reviews } = rig((world) => {
			wholeWorld(world);
			const third = written({
				id: 30,
				subject: '[PATCH proj v3 1/1] Part 1',
				parentId: 11,
				threadId: 10,
				isPatch: true,
				text: patchText('file1'),
			});
			const fourth = series(4, 40);
			world.mails.push(third, ...fourth);
			world.series.set(4, fourth.slice(1));
			world.patchsets.set('~alice/devel', [
				makePatchset({ id: 4, version: 4 }),
				...(world.patchsets.get('~alice/devel') ?? []),
			]);
		});
		const third = formedPatchsetId(30);
		for (const id of [4, 2, 1, third]) {
			const { versions } = await reviews.read(refOf(id), never);
			assert.deepEqual(
				versions.map(({ patchset }) => [patchset.version, patchset.id]),
				[
					[1, 1],
					[2, 2],
					[3, third],
					[4, 4],
				],
				`patchset ${id}`,
			);
		}
		const { series: patches, versions, suggestions } = await reviews.read(refOf(third), never);
		assert.deepEqual(
			patches.patches.map(({ mail }) => mail.id),
			[30],
		);
		assert.equal(versions[0]?.link, 'thread');
		assert.deepEqual(
			suggestions.map(({ kind }) => kind),
			['superseded'],
		);
	});

	test('the search for versions of a formed patchset ends at the server patchset of its thread', async () => {
		const { reviews, lists } = rig((world) => {
			wholeWorld(world);
			world.mails.push(
				written({
					id: 30,
					subject: '[PATCH proj v2 1/1] Part 1',
					parentId: 11,
					threadId: 10,
					isPatch: true,
					text: patchText('file1'),
				}),
			);
			const at = world.mails.findIndex(({ id }) => id === 11);
			world.mails.splice(at, 1, { ...world.mails[at]!, patchsetId: 1 });
			const others = [9, 8, 7].map((id) => makePatchset({ id, subject: `Other ${id}`, messageId: `<o${id}@x.test>` }));
			world.patchsets.set('~alice/devel', [...others, ...(world.patchsets.get('~alice/devel') ?? [])]);
			world.pageSize = 1;
		});
		await lists.thread(devel, 10, never);
		await lists.patchset(refOf(1), never);
		await reviews.read(refOf(formedPatchsetId(30)), never);
		const rows =
			lists
				.patchsets(devel)
				.ofServer()
				?.items.map(({ id }) => id) ?? [];
		assert.deepEqual(rows.slice(0, 4), [9, 8, 7, 2]);
	});

	test('of a version that sends one patch again have the other one, with its replies', async () => {
		const { reviews, lists } = rig((world) => {
			wholeWorld(world);
			const carol = { sender: makeUser('carol'), from: 'Carol <carol@forge.test>', threadId: 10 };
			world.mails.push(
				written({
					id: 30,
					subject: '[PATCH proj v3 2/2] Part 2',
					parentId: 12,
					threadId: 10,
					isPatch: true,
					text: patchText('file2'),
				}),
				written({
					...carol,
					id: 31,
					subject: 'Re: [PATCH proj 1/2] Part 1',
					parentId: 11,
					text: 'Acked-by: Carol <carol@forge.test>',
				}),
			);
			const at = world.mails.findIndex(({ id }) => id === 11);
			world.mails.splice(at, 1, { ...world.mails[at]!, patchsetId: 1 });
		});
		await lists.thread(devel, 10, never);
		const third = await reviews.read(refOf(formedPatchsetId(30)), never);
		assert.deepEqual(
			third.series.patches.map(({ index, mail, keptFrom }) => [index, mail.id, keptFrom]),
			[
				[1, 11, 1],
				[2, 30, undefined],
			],
		);
		assert.deepEqual(
			third.series.problems.map(({ kind }) => kind),
			['keptPatches'],
		);
		assert.deepEqual(
			third.trailers.map(({ key, mailId, patchIndexes }) => [key, mailId, patchIndexes]),
			[['Acked-by', 31, [1]]],
			'a reply to the patch that was sent again says nothing about the new one',
		);
		const first = await reviews.read(refOf(1), never);
		assert.deepEqual(
			first.suggestions.map((each) => (each.kind === 'superseded' ? each.by.id : each.kind)),
			[formedPatchsetId(30)],
		);
		assert.ok(reviews.versionsIn(devel)(1).newest !== undefined);
		assert.deepEqual(
			reviews.earlierVersions(refOf(formedPatchsetId(30))).map(({ id }) => id),
			[1, 2],
		);
	});

	test('keep a patchset that only another person, or a part of a version, follows', async () => {
		for (const [subject, from] of [
			['[PATCH proj v3 1/3] Part 0', 'Bob Builder <bob@forge.test>'],
			['[PATCH proj v3] Improve the modules', 'Eve <eve@forge.test>'],
		] as const) {
			const { reviews, lists } = rig((world) => {
				wholeWorld(world);
				const account = from.startsWith('Eve') ? 'eve' : 'bob';
				world.mails.splice(0, world.mails.length, ...world.mails.filter(({ id }) => id < 20));
				world.mails.push(
					written({
						id: 30,
						subject,
						from,
						sender: makeUser(account),
						parentId: 12,
						threadId: 10,
						isPatch: true,
						text: patchText('file2'),
					}),
				);
				const at = world.mails.findIndex(({ id }) => id === 11);
				world.mails.splice(at, 1, { ...world.mails[at]!, patchsetId: 1 });
				world.patchsets.set('~alice/devel', [makePatchset({ id: 1 })]);
			});
			await lists.thread(devel, 10, never);
			const { suggestions } = await reviews.read(refOf(1), never);
			assert.deepEqual(suggestions, [], subject);
			assert.ok(!(reviews.versionsIn(devel)(1).newest !== undefined), subject);
			assert.ok(lists.knownPatchset(refOf(formedPatchsetId(30))), subject);
		}
	});

	/** Patchset 3 (messages 30 and 31) with another title and this cover letter. */
	function retitled(text: string, from: string): (world: FakeListWorld) => void {
		return (world) => {
			wholeWorld(world);
			const [cover, part] = [
				written({ id: 30, subject: '[PATCH proj v3 0/1] Modules, once more', text, from }),
				written({
					id: 31,
					subject: '[PATCH proj v3 1/1] Part',
					parentId: 30,
					threadId: 30,
					isPatch: true,
					text: patchText('file1'),
					from,
				}),
			];
			const patchset = makePatchset({ id: 3, version: 3, subject: 'Modules, once more', submitter: from });
			world.mails.push(cover, part);
			world.mails.forEach((mail, at) => (mail.id < 20 ? (world.mails[at] = { ...mail, patchsetId: 1 }) : undefined));
			world.series.set(3, [part]);
			world.patchsets.set('~alice/devel', [patchset, ...(world.patchsets.get('~alice/devel') ?? [])]);
		};
	}

	const bob = 'Bob Builder <bob@forge.test>';
	const linkTo = (version: number): string => `Link to v${version}: https://lore.example.org/r/m10@forge.test`;

	test('a link in the cover letter connects versions with different titles, in later windows too', async () => {
		const links = keptInMemory();
		const { reviews } = rig(retitled(linkTo(1), bob), links);
		const { versions } = await reviews.read(refOf(3), never);
		assert.deepEqual(
			versions.map(({ patchset, link }) => [patchset.id, link]),
			[
				[1, 'stated'],
				[2, 'subject'],
				[3, undefined],
			],
		);
		const next = rig(retitled(linkTo(1), bob), links);
		await next.reviews.read(refOf(3), never);
		assert.equal(next.reviews.versionsIn(devel)(2).newest !== undefined, true);
		assert.deepEqual(
			(await next.reviews.read(refOf(1), never)).suggestions.map((each) => each.kind === 'superseded' && each.by.id),
			[3],
		);
	});

	test('a stranger’s claim of a newer version supersedes nothing', async () => {
		const { reviews } = rig(retitled(linkTo(1), 'Mallory <mallory@evil.test>'));
		await reviews.read(refOf(3), never);
		const { versions, suggestions } = await reviews.read(refOf(1), never);
		assert.deepEqual(
			versions.map(({ patchset, link }) => [patchset.id, link]),
			[
				[1, undefined],
				[2, 'subject'],
				[3, 'claimed'],
			],
		);
		assert.deepEqual(
			suggestions.map((each) => each.kind === 'superseded' && each.by.id),
			[2],
		);
		assert.equal(reviews.versionsIn(devel)(2).newest !== undefined, false);
		assert.deepEqual(reviews.earlierVersions(refOf(3)), []);
	});

	test('a link with a wrong version number has no effect and costs one lookup', async () => {
		const { reviews, world } = rig(
			retitled(`${linkTo(2)}\n${linkTo(9)}\nLink to v1: https://lore.example.org/r/0@forge.test`, bob),
		);
		const { versions } = await reviews.read(refOf(3), never);
		assert.deepEqual(
			versions.map(({ patchset }) => patchset.id),
			[3],
		);
		const asked = (): number => world.calls.filter((call) => call.includes('<0@forge.test>')).length;
		assert.equal(asked(), 1);
		await reviews.read(refOf(1), never);
		await reviews.read(refOf(3), never);
		assert.equal(asked(), 1);
	});

	test('a common change-id connects versions', async () => {
		const text = 'The reasons.\n\n---\nchange-id: 20240101-modules-0123456789ab';
		const { reviews } = rig((world) => {
			retitled(text, bob)(world);
			world.mails.forEach((mail, at) => {
				world.mails[at] = mail.id === 20 ? { ...mail, envelope: mail.envelope.replace('The reasons.', text) } : mail;
			});
		});
		await reviews.read(refOf(2), never);
		const { versions } = await reviews.read(refOf(3), never);
		assert.deepEqual(
			versions.map(({ patchset, link }) => [patchset.id, link]),
			[
				[1, 'subject'],
				[2, 'stated'],
				[3, undefined],
			],
		);
	});

	test('the later of two patchsets with the same version is newer', async () => {
		const { reviews, lists } = rig((world) =>
			world.patchsets.set('~alice/devel', [
				makePatchset({ id: 2, version: 2, prefix: 'RESEND proj', createdMs: 2 }),
				makePatchset({ id: 1, version: 2, createdMs: 1 }),
			]),
		);
		await lists.patchsets(devel).first(never);
		assert.deepEqual(
			[1, 2].map((id) => reviews.versionsIn(devel)(id).newest !== undefined),
			[true, false],
		);
	});

	test('replies with a lost parent belong to the patchset, together with their own replies', async () => {
		const { reviews, lists, heard, world } = rig(wholeWorld);
		const byReferences = stray(40, 'Re: Another title', '<m12@forge.test>');
		const bySubject = stray(41, 'Re: [PATCH proj 0/2] Improve the modules', '<lost@elsewhere.test>');
		const ofOthers = stray(42, 'Re: [PATCH proj v3 2/2] Part 2', '<lost@elsewhere.test>');
		const answer = written({ id: 43, threadId: 40, parentId: 40, subject: 'Re: Another title', text: 'Thanks.' });
		world.mails.push(byReferences, bySubject, ofOthers, answer);
		world.posts.set('~alice/devel', [ofOthers, byReferences]);
		const standing = told(await reviews.read(refOf(1), never));
		const [reviewed, tester] = [['Reviewed-by', 'Carol <carol@forge.test>', [2]], 'Dave <dave@forge.test>'];
		assert.deepEqual(standing, {
			...whole,
			mails: [...whole.mails, 40, 43],
			trailers: [reviewed, ['Tested-by', tester, [2]]],
		});
		heard.length = 0;
		lists.apply({ kind: 'mailArrived', list: devel, mail: bySubject });
		assert.ok(heard.includes(1), 'a new one is noticed');
		const { trailers } = await reviews.read(refOf(1), never);
		assert.deepEqual(
			trailers.map(({ key, patchIndexes, mailId }) => [key, patchIndexes, mailId]),
			[
				['Reviewed-by', [2], 13],
				['Tested-by', [2], 40],
				['Tested-by', [1], 41],
			],
		);
	});

	test('each message costs one request, and a second read none', async () => {
		const { world, reviews } = rig();
		await Promise.all([reviews.read(refOf(1), never), reviews.read(refOf(1), never)]);
		assert.deepEqual(world.calls.toSorted(), [
			'email 10',
			'patches 1 0',
			'patchset ~alice/devel 1',
			'patchsets ~alice/devel 0',
			'posts ~alice/devel 0',
			'thread 10',
		]);
		world.calls.length = 0;
		assert.equal(await reviews.read(refOf(1), never), reviews.known(refOf(1)));
		const standing = reviews.known(refOf(1));
		assert.equal(await reviews.read(refOf(1), never), standing);
		assert.deepEqual(world.calls, []);
	});

	test('a read includes a message that arrives meanwhile', async () => {
		const { world, reviews, lists, texts } = rig();
		const answer = written({ id: 30, parentId: 10, threadId: 10, text: 'Late.' });
		// Texts load after the thread is reported.
		texts.onDidRead(() => {
			if (!world.mails.includes(answer)) {
				world.mails.push(answer);
				lists.apply({ kind: 'mailArrived', list: devel, mail: answer });
			}
		});
		const reading = reviews.read(refOf(1), never);
		assert.ok((await reading).mails.some(({ id }) => id === 30));
	});

	test('a version sent into the thread of an older one stays separate', async () => {
		const { reviews } = rig((world) => {
			wholeWorld(world);
			const inside = [1, 2, 3].map((index) =>
				written({
					id: 40 + index,
					subject: `[PATCH proj v2 ${index}/3] Part ${index}`,
					parentId: 10,
					threadId: 10,
					isPatch: true,
					text: patchText(`other${index}`),
				}),
			);
			world.mails.push(...inside);
			world.mails.splice(
				world.mails.findIndex(({ id }) => id === 10),
				1,
			);
		});
		const { series: read } = await reviews.read(refOf(1), never);
		assert.deepEqual(
			read.patches.map(({ mail }) => mail.id),
			[11, 12],
		);
	});

	suite('with patches of strangers in the thread', () => {
		const bobs = written({ id: 10, subject: '[PATCH proj] Fix it', isPatch: true, text: patchText('good') });
		const strange = (subject: string, id: number, from = 'Mallory <mallory@evil.test>', parentId = 10): Email =>
			written({ id, subject, from, parentId, threadId: 10, isPatch: true, text: patchText(`evil${id}`) });

		async function partsOf(own: readonly Email[], others: readonly Email[]): Promise<object> {
			const { reviews } = rig((world) => {
				world.mails.push(...own, ...others);
				world.series.set(1, [...own]);
				world.patchsets.set('~alice/devel', [makePatchset({ id: 1, subject: 'Fix it' })]);
			});
			const { series: read } = await reviews.read(refOf(1), never);
			return [read.cover?.id, read.patches.map(({ index, mail }) => [index, mail.id]), read.count];
		}

		test('replies with patches never replace the patches known to the server', async () => {
			const flood = [strange('[PATCH proj 1/2] Fix it', 11), strange('[PATCH proj 2/2] Fix it', 12)];
			const same = [strange('[PATCH proj] Fix it', 11), strange('[PATCH proj 0/1] Fix it', 12)];
			for (const others of [flood, same, flood.map((mail) => ({ ...mail, createdMs: 1 }))]) {
				assert.deepEqual(await partsOf([bobs], others), [undefined, [[1, 10]], 1]);
			}
			const disguised = [
				strange('[PATCH proj 0/1] Fix it', 11, '"bob@forge.test" <mallory@evil.test>'),
				strange('[PATCH proj 0/1] Fix it', 12, 'mallory@evil.test, Bob <bob@forge.test>'),
			];
			assert.deepEqual(await partsOf([bobs], disguised), [undefined, [[1, 10]], 1]);
		});

		test('another series of the same sender doesn’t replace them either, regardless of its size', async () => {
			const own = [1, 2].map((index) => strange(`[PATCH proj ${index}/2] Other`, 20 + index, 'Bob <bob@forge.test>'));
			assert.deepEqual(await partsOf([bobs], own), [undefined, [[1, 10]], 1]);
		});

		test('an unrecognized part is added only from the same sender', async () => {
			const first = written({ id: 10, subject: '[PATCH proj 1/2] a', isPatch: true, text: patchText('a') });
			const own = strange('Re: [PATCH proj 2/2] b', 12, 'Robert <BOB@forge.test>');
			const theirs = strange('[PATCH proj 2/2] b', 11);
			const complete = [
				undefined,
				[
					[1, 10],
					[2, 12],
				],
				2,
			];
			assert.deepEqual(await partsOf([first], [theirs, own]), complete);
			assert.deepEqual(await partsOf([first], [theirs]), [undefined, [[1, 10]], 2]);
		});
	});

	test('a thread of any size stays cached, without unparsed reply texts', async () => {
		const { lists } = rig();
		const large = 'x'.repeat(40_000_000);
		const { forge } = listConnection(fakeLists().api);
		let raw = 0;
		const stores = mailStores({
			lists,
			forge,
			reader: {
				async readMail(envelope, options) {
					if (!/^Subject: Re:/m.test(envelope)) {
						return await readerHere.readMail(envelope, options);
					}
					raw += 1;
					return { kind: 'raw', reason: 'unreadable', text: large };
				},
				attachment: () => Promise.resolve(undefined),
			},
		});
		const standing = await stores.reviews.read(refOf(1), never);
		assert.ok(stores.reviews.known(refOf(1)) === standing);
		const kept = standing.mails.flatMap(({ id, reading }) =>
			reading.kind === 'raw' ? [[id, reading.text.length]] : [],
		);
		assert.deepEqual(kept, [[13, 0]]);
		const before = raw;
		assert.ok((await stores.reviews.read(refOf(1), never)) === standing);
		assert.equal(raw, before);
	});

	test('a patchset larger than the text cache stays cached', async () => {
		const { lists } = rig();
		const { forge } = listConnection(fakeLists().api);
		const body = 'x'.repeat(70_000_000);
		const reader: MailReader = {
			readMail: () => Promise.resolve(makeReading({ body, text: body })),
			attachment: () => Promise.resolve(undefined),
		};
		const { reviews } = mailStores({ lists, forge, reader });
		const standing = await reviews.read(refOf(1), never);
		assert.ok(reviews.known(refOf(1)) === standing);
	});

	test('a status change applies without a request', async () => {
		const { world, reviews, lists, heard } = rig();
		await reviews.read(refOf(1), never);
		heard.length = 0;
		world.calls.length = 0;
		await lists.setStatus(refOf(1), 'superseded', never);
		assert.deepEqual(heard, [1]);
		const standing = reviews.known(refOf(1));
		assert.deepEqual([standing?.patchset.status, standing?.suggestions], ['superseded', []]);
		assert.deepEqual(world.calls, ['status ~alice/devel 1 superseded']);
	});

	test('an unrelated change in the list causes no event', async () => {
		const { reviews, lists, heard } = rig();
		const before = await reviews.read(refOf(1), never);
		heard.length = 0;
		lists.apply({ kind: 'listChanged', list: makeList({ description: 'New' }) });
		lists.apply({ kind: 'patchsetChanged', list: devel, patchset: makePatchset({ id: 9, subject: 'Another' }) });
		assert.deepEqual(heard, []);
		assert.equal(reviews.known(refOf(1)), before);
		lists.forget(devel);
		assert.deepEqual(heard, [1]);
		lists.forget(devel);
		assert.deepEqual(heard, [1], 'that it has to be read anew is told once');
	});

	test('a new successor causes an event for the older patchset too', async () => {
		const { reviews, lists, heard } = rig((world) => {
			wholeWorld(world);
			world.patchsets.set('~alice/devel', [
				makePatchset({ id: 2, version: 2, subject: 'Called something else' }),
				makePatchset({ id: 1 }),
			]);
		});
		assert.equal((await reviews.read(refOf(2), never)).versions.length, 1);
		heard.length = 0;
		lists.apply({ kind: 'patchsetChanged', list: devel, patchset: makePatchset({ id: 1, supersededById: 2 }) });
		assert.deepEqual(heard, [2]);
		assert.equal(reviews.known(refOf(2))?.versions.length, 2);
	});

	test('a new message causes an event and a read of its thread only', async () => {
		const { world, reviews, lists, heard } = rig();
		await reviews.read(refOf(1), never);
		heard.length = 0;
		world.calls.length = 0;
		const answer = written({
			id: 30,
			subject: 'Re: [PATCH proj 0/2] Improve the modules',
			parentId: 10,
			threadId: 10,
			text: 'Tested-by: Dave <dave@forge.test>',
			from: 'Dave <dave@forge.test>',
		});
		world.mails.push(answer);
		lists.apply({ kind: 'mailArrived', list: devel, mail: answer });
		assert.deepEqual(heard, [1]);
		const standing = await reviews.read(refOf(1), never);
		assert.deepEqual(
			standing.trailers.map(({ key, patchIndexes }) => [key, patchIndexes]),
			[
				['Reviewed-by', [2]],
				['Tested-by', [1, 2]],
			],
		);
		assert.deepEqual(world.calls, ['thread 10']);
	});

	test('a new version suggests a superseded status for the old one', async () => {
		const { reviews, lists, heard } = rig((world) => {
			wholeWorld(world);
			world.patchsets.set('~alice/devel', [makePatchset({ id: 1 })]);
		});
		assert.deepEqual((await reviews.read(refOf(1), never)).suggestions, []);
		heard.length = 0;
		lists.apply({ kind: 'patchsetChanged', list: devel, patchset: makePatchset({ id: 2, version: 2 }) });
		assert.deepEqual(heard, [1]);
		assert.deepEqual(
			reviews.known(refOf(1))?.suggestions.map(({ kind }) => kind),
			['superseded'],
		);
	});

	test('the server’s successor takes precedence over subjects', async () => {
		const { reviews } = rig((world) => {
			wholeWorld(world);
			world.patchsets.set('~alice/devel', [
				makePatchset({ id: 2, version: 2, subject: 'Improve all modules' }),
				makePatchset({ id: 1, supersededById: 2 }),
			]);
		});
		const { versions } = await reviews.read(refOf(1), never);
		assert.deepEqual(
			versions.map(({ patchset, link }) => [patchset.id, link]),
			[
				[1, undefined],
				[2, 'forge'],
			],
		);
	});

	test('a successor beyond the loaded pages costs further pages', async () => {
		const { world, reviews } = rig((world) => {
			wholeWorld(world);
			const others = Array.from({ length: 400 }, (_, at) => makePatchset({ id: 1000 - at, subject: `Other ${at}` }));
			world.patchsets.set('~alice/devel', [
				...others,
				makePatchset({ id: 3 }),
				makePatchset({ id: 2, supersededById: 3 }),
			]);
		});
		const { versions } = await reviews.read(refOf(2), never);
		assert.deepEqual(
			versions.map(({ patchset }) => patchset.id),
			[2, 3],
		);
		const pages = world.calls.filter((call) => call.startsWith('patchsets '));
		assert.equal(pages.length, 5, 'the list is read on, but not to its end');
	});

	test('older versions load further pages only as far as needed', async () => {
		const { world, reviews } = rig((world) => {
			wholeWorld(world);
			const others = Array.from({ length: 60 }, (_, at) => makePatchset({ id: 300 - at, subject: `Other ${at}` }));
			const older = Array.from({ length: 200 }, (_, at) => makePatchset({ id: 200 - at, subject: `Old ${at}` }));
			world.patchsets.set('~alice/devel', [
				makePatchset({ id: 400, version: 2 }),
				...others,
				makePatchset({ id: 240 }),
				...older,
			]);
			world.series.set(400, world.series.get(2) ?? []);
		});
		const { versions } = await reviews.read(refOf(400), never);
		assert.deepEqual(
			versions.map(({ patchset }) => patchset.id),
			[240, 400],
		);
		assert.equal(world.calls.filter((call) => call.startsWith('patchsets ')).length, 2);
	});

	test('manual links between versions survive the window', async () => {
		const kept = keptInMemory();
		const before = rig(wholeWorld, kept);
		await before.reviews.read(refOf(1), never);
		before.heard.length = 0;
		await before.reviews.unlinkVersions(refOf(2), refOf(1));
		assert.deepEqual(before.heard, [1]);
		assert.deepEqual(before.reviews.known(refOf(1))?.versions.length, 1);
		const after = rig(wholeWorld, kept);
		assert.deepEqual((await after.reviews.read(refOf(1), never)).versions.length, 1);
		await after.reviews.linkVersions(refOf(1), refOf(2));
		assert.deepEqual(
			after.reviews.known(refOf(1))?.versions.map(({ link }) => link),
			[undefined, 'byHand'],
		);
		assert.deepEqual(before.reviews.known(refOf(1))?.versions.length, 2, 'another window sees it too');
		await assert.rejects(
			after.reviews.linkVersions(refOf(1), { list: { ...devel, name: 'other' }, id: 2 }),
			RangeError,
		);
	});

	test('a series appears without its failed thread, and the next read retries', async () => {
		const { world, reviews } = rig();
		const error = new ForgeError({ kind: 'serverError', status: 500 });
		world.before = (call) => {
			if (call.startsWith('thread ')) {
				throw error;
			}
		};
		const standing = await reviews.read(refOf(1), never);
		assert.deepEqual(standing.failures, [{ part: 'thread', error }]);
		assert.deepEqual([standing.mails.length, standing.series.patches.length], [3, 2]);
		world.before = () => undefined;
		assert.deepEqual(told(await reviews.read(refOf(1), never)), whole);
	});

	test('without a patchset list, only the versions are missing', async () => {
		const { world, reviews } = rig();
		world.before = (call) => {
			if (call.startsWith('patchsets ')) {
				throw new ForgeError({ kind: 'serverError', status: 500 });
			}
		};
		const standing = await reviews.read(refOf(1), never);
		assert.deepEqual(
			standing.failures.map(({ part }) => part),
			['versions'],
		);
		assert.deepEqual([standing.mails.length, standing.versions.length], [4, 1]);
	});

	test('a repeated failure causes one event, so that nothing retries forever', async () => {
		const { world, reviews, heard } = rig();
		world.before = (call) => {
			if (call.startsWith('thread ')) {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		await reviews.read(refOf(1), never);
		await reviews.read(refOf(1), never);
		await reviews.read(refOf(1), never);
		assert.deepEqual(heard, [1]);
	});

	test('an abort cancels only its own reader', async () => {
		const { world, reviews } = rig();
		const gate = Promise.withResolvers<void>();
		world.before = () => gate.promise;
		const abort = new AbortController();
		const given = reviews.read(refOf(1), abort.signal);
		const waiting = reviews.read(refOf(1), never);
		abort.abort();
		await assert.rejects(given, { name: 'AbortError' });
		gate.resolve();
		assert.deepEqual(told(await waiting), whole);
	});

	test('a missing patchset is an error', async () => {
		await assert.rejects(rig().reviews.read(refOf(9), never), ForgeError);
	});

	test('an unusual prefix is reported as a problem of the series', async () => {
		const { reviews } = rig((world) => {
			wholeWorld(world);
			const others = Array.from({ length: 8 }, (_, at) => makePatchset({ id: 300 - at, prefix: 'lantern' }));
			world.patchsets.set('~alice/devel', [...others, makePatchset({ id: 1 })]);
		});
		const { series } = await reviews.read(refOf(1), never);
		assert.deepEqual(series.problems, [{ kind: 'wrongPrefix', written: 'PATCH proj 1/2', usual: 'lantern' }]);
	});

	test('ticket mentions in messages have their patchset', async () => {
		const { reviews, mentions, texts } = rig();
		await texts.read(11, never);
		const ticket = { tracker: { owner: '~alice', name: 'tasks' }, id: 4 };
		assert.deepEqual(
			mentions.of(ticket).map(({ mailId, patchsetId, trailer }) => [mailId, patchsetId, trailer]),
			[[11, undefined, 'Fixes']],
		);
		await reviews.read(refOf(1), never);
		assert.deepEqual(
			mentions.of(ticket).map(({ mailId, patchsetId, trailer }) => [mailId, patchsetId, trailer]),
			[[11, 1, 'Fixes']],
		);
		assert.deepEqual(
			mentions.of({ ...ticket, id: 5 }).map(({ mailId, patchsetId }) => [mailId, patchsetId]),
			[[13, undefined]],
		);
	});

	test('any order of the same events and responses ends in the same review', async () => {
		for (let seed = 1; seed <= 60; seed += 1) {
			const random = seeded(seed);
			const { world, reviews, lists } = rig((world) => {
				wholeWorld(world);
				world.patchsets.set('~alice/devel', [makePatchset({ id: 1 })]);
			});
			const late: Email = written({
				id: 30,
				subject: 'Re: [PATCH proj 1/2] Part 1',
				parentId: 11,
				threadId: 10,
				text: 'Acked-by: Dave <dave@forge.test>',
				from: 'Dave <dave@forge.test>',
			});
			const waiting: (() => void)[] = [];
			world.before = () => new Promise<void>((resolve) => void waiting.push(resolve));
			const applied = makePatchset({ id: 1, status: 'needs_revision', updatedMs: Date.UTC(2030, 0, 1) });
			const news: (() => void)[] = shuffled(
				[
					() => {
						world.mails.push(late);
						lists.apply({ kind: 'mailArrived', list: devel, mail: late });
					},
					() => {
						const all = world.patchsets.get('~alice/devel') ?? [];
						world.patchsets.set('~alice/devel', [makePatchset({ id: 2, version: 2 }), ...all]);
						lists.apply({ kind: 'patchsetChanged', list: devel, patchset: makePatchset({ id: 2, version: 2 }) });
					},
					() => {
						const all = world.patchsets.get('~alice/devel') ?? [];
						world.patchsets.set(
							'~alice/devel',
							all.map((each) => (each.id === 1 ? applied : each)),
						);
						lists.apply({ kind: 'patchsetChanged', list: devel, patchset: applied });
					},
					() => void lists.series(refOf(1), never),
					() => void lists.thread(devel, 10, never),
					() => void reviews.read(refOf(2), never).catch(() => undefined),
				],
				random,
			);
			const reading = reviews.read(refOf(1), never);
			const state = { isDone: false };
			void reading.then(() => (state.isDone = true));
			while (news.length > 0 || !state.isDone) {
				const at = Math.floor(random() * (waiting.length + (news.length > 0 ? 1 : 0)));
				(at < waiting.length ? waiting.splice(at, 1)[0] : news.shift())?.();
				await new Promise((resolve) => setImmediate(resolve));
			}
			world.before = () => undefined;
			waiting.forEach((resolve) => resolve());
			const standing = await reviews.read(refOf(1), never);
			assert.deepEqual(
				told(standing),
				{
					...whole,
					status: 'needs_revision',
					mails: [10, 11, 12, 13, 30],
					trailers: [...whole.trailers, ['Acked-by', 'Dave <dave@forge.test>', [1]]],
				},
				`seed ${seed}`,
			);
		}
	});
});

/** Seeded random numbers in [0, 1). */
function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
	return items
		.map((item) => ({ item, place: random() }))
		.toSorted((a, b) => a.place - b.place)
		.map(({ item }) => item);
}
