import { MadeThread, people, type MadeMail, type MeantReply, type MeantVersion } from './madeThread.ts';
import { createRandom, type Random } from './random.ts';

/** A made series of any kind, with its versions as the senders meant them. */
export interface MadeSeries {
	/** `kind number`. */
	readonly name: string;
	readonly mails: readonly MadeMail[];
	readonly versions: readonly MeantVersion[];
}

type Kind = (thread: MadeThread, random: Random) => readonly MeantVersion[];

const seed = 20_260_302;
const areas = ['alpha', 'beta', 'gamma', 'delta'] as const;

/** The same series at each call. */
export function madeSeries(): readonly MadeSeries[] {
	return Object.entries(kinds).flatMap(([kind, [count, make]]) =>
		Array.from({ length: count }, (_, at): MadeSeries => {
			const random = createRandom(seed + at * 7919 + kind.length * 104_729);
			const thread = new MadeThread(random, random.pick(areas));
			const versions = make(thread, random);
			return { name: `${kind} ${at + 1}`, mails: thread.mails, versions };
		}),
	);
}

function meant(
	version: number,
	cover: MeantVersion['cover'],
	patches: readonly MadeMail[],
	isNewest = false,
): MeantVersion {
	return { version, cover, patches, isNewest };
}

/** Of `count` patches, these: at least one, and not all. */
function some(random: Random, count: number): readonly number[] {
	const chosen = Array.from({ length: count }, (_, at) => at + 1).filter(() => random.chance(40));
	return chosen.length === 0 || chosen.length === count ? [1 + random.below(count)] : chosen;
}

const coverOrNone = (random: Random): 'tagged' | 'none' => (random.chance(50) ? 'tagged' : 'none');

/** Trailers and remarks for some patches, and for all where a cover letter is. */
function replies(
	thread: MadeThread,
	random: Random,
	{ cover, patches }: Pick<MeantVersion, 'patches'> & { readonly cover: MadeMail | undefined },
): readonly MeantReply[] {
	const said: MeantReply[] = [];
	for (const patch of patches.filter((_, at) => at === 0 || random.chance(60))) {
		const review = thread.trailer('Reviewed-by', people.rob, patch, [patch]);
		said.push(review);
		if (random.chance(50)) {
			said.push(thread.trailer('Tested-by', people.eve, review.mail, [patch]));
		}
		if (random.chance(40)) {
			const mail = thread.review(patch, people.max);
			said.push({ mail, trailer: undefined, of: [patch] });
		}
	}
	if (cover) {
		said.push(thread.trailer('Acked-by', people.max, cover, patches));
	}
	return said;
}

/** A first version with its review, and a partial re-roll below the patches that it replaces. */
function partial({ isBelowReview, before }: { readonly isBelowReview: boolean; readonly before: number }): Kind {
	return (thread, random) => {
		const count = 2 + random.below(4);
		const [one, other] = [before, before + 1];
		const first = thread.send({ count, version: one, cover: coverOrNone(random), isChain: random.chance(30) });
		thread.later();
		const patches = [...first.patches];
		for (const index of some(random, count)) {
			const replaced = first.patches[index - 1];
			const above = isBelowReview && replaced ? thread.review(replaced) : replaced;
			patches.splice(index - 1, 1, ...thread.send({ count, version: other, only: [index], above }).patches);
		}
		return [meant(one, first.cover, first.patches), meant(other, 'any', patches, true)];
	};
}

/** A set whose subjects begin with the same brackets, with and without a number. */
function tagged(begin: (random: Random) => string, { version = 1 }: { readonly version?: number } = {}): Kind {
	return (thread, random) => {
		const count = 1 + random.below(4);
		const head = begin(random);
		const hasCover = count > 1 && random.chance(50);
		const tag = (index: number): string =>
			count === 1 ? head.replace(/ ?#/, '') : head.replace('#', `${index}/${count}`);
		const { cover, patches } = thread.send({ count, tag, cover: hasCover ? 'tagged' : 'none' });
		return [meant(version, cover, patches, true)];
	};
}

/** A series with a higher number and other titles in a thread of its own, with equal changes. */
function again({ from, isNewest }: { readonly from: string; readonly isNewest: boolean }): Kind {
	return (thread, random) => {
		const count = 1 + random.below(4);
		const cover = coverOrNone(random);
		const first = thread.send({ count, cover, isUnchanged: true });
		thread.later();
		const second = thread.send({ count, cover, version: 2, from, title: 'omega', isUnchanged: true });
		return [meant(1, first.cover, first.patches, !isNewest), meant(2, second.cover, second.patches, isNewest)];
	};
}

/** A later set below the first one, in one way of writing its brackets. */
function below(change: {
	readonly tag: (random: Random) => string;
	readonly version: number;
	readonly firstVersion?: number;
}): Kind {
	return (thread, random) => {
		const count = 1 + random.below(3);
		const first = thread.send({
			count,
			version: change.firstVersion ?? 1,
			cover: count > 1 ? coverOrNone(random) : 'none',
		});
		thread.later();
		const head = change.tag(random);
		const tag = (index: number): string =>
			count === 1 ? head.replace(/ ?#/, '') : head.replace('#', `${index}/${count}`);
		const again = thread.send({
			count,
			tag,
			cover: first.cover ? 'tagged' : 'none',
			above: first.cover ?? first.patches[0],
		});
		return [
			meant(change.firstVersion ?? 1, first.cover, first.patches),
			meant(change.version, again.cover, again.patches, true),
		];
	};
}

const kinds: Readonly<Record<string, readonly [count: number, make: Kind]>> = {
	plain: [
		6,
		(thread, random) => {
			const { cover, patches } = thread.send({
				count: 1 + random.below(5),
				cover: coverOrNone(random),
				isChain: random.chance(30),
			});
			return [meant(1, cover, patches, true)];
		},
	],
	'versions in threads of their own': [
		5,
		(thread, random) => {
			const count = 1 + random.below(4);
			const cover = coverOrNone(random);
			const first = thread.send({ count, cover });
			thread.later();
			const second = thread.send({ count, cover, version: 2 });
			return [meant(1, first.cover, first.patches), meant(2, second.cover, second.patches, true)];
		},
	],
	'versions below the first one': [
		6,
		(thread, random) => {
			const count = 1 + random.below(4);
			const cover = coverOrNone(random);
			const first = thread.send({ count, cover });
			const above = first.cover ?? first.patches[0];
			const sent = Array.from({ length: 1 + random.below(3) }, (_, at) => {
				thread.later();
				return thread.send({ count, cover, version: at + 2, above });
			});
			return [
				meant(1, first.cover, first.patches),
				...sent.map((each, at) => meant(at + 2, each.cover, each.patches, at + 1 === sent.length)),
			];
		},
	],
	'a partial re-roll': [12, partial({ isBelowReview: false, before: 1 })],
	'a partial re-roll below a review': [6, partial({ isBelowReview: true, before: 1 })],
	'a partial re-roll of a later version': [5, partial({ isBelowReview: false, before: 3 })],
	'partial re-rolls over two versions': [
		8,
		(thread, random) => {
			const count = 3 + random.below(3);
			const first = thread.send({ count, cover: coverOrNone(random) });
			const [one, other] = random.chance(50) ? [1, count] : [2, 1];
			thread.later();
			const v2 = [...first.patches];
			v2.splice(one - 1, 1, ...thread.send({ count, version: 2, only: [one], above: first.patches[one - 1] }).patches);
			thread.later();
			const v3 = [...v2];
			v3.splice(
				other - 1,
				1,
				...thread.send({ count, version: 3, only: [other], above: first.patches[other - 1] }).patches,
			);
			return [meant(1, first.cover, first.patches), meant(2, 'any', v2), meant(3, 'any', v3, true)];
		},
	],
	'a version by the maintainer': [
		6,
		(thread, random) => {
			const count = 1 + random.below(3);
			const first = thread.send({ count });
			thread.later();
			const second = thread.send({ count, version: 2, from: people.max, author: people.ann, above: first.patches[0] });
			return [meant(1, undefined, first.patches, true), meant(2, undefined, second.patches)];
		},
	],
	'a version by a stranger': [
		4,
		(thread, random) => {
			const count = 1 + random.below(3);
			const first = thread.send({ count });
			thread.later();
			const second = thread.send({ count, version: 2, from: people.eve, above: first.patches[0] });
			return [meant(1, undefined, first.patches, true), meant(2, undefined, second.patches)];
		},
	],
	"a stranger's patch with a number of the series": [
		5,
		(thread, random) => {
			const count = 2 + random.below(3);
			const first = thread.send({ count, cover: coverOrNone(random) });
			thread.later();
			const number = 1 + random.below(count);
			thread.patch(`[PATCH ${number}/${count}] ${thread.title}: open a hole`, number, {
				from: people.eve,
				above: first.cover ?? first.patches[0],
			});
			return [meant(1, first.cover, first.patches, true)];
		},
	],
	"a stranger's patch in the next version": [
		4,
		(thread, random) => {
			const count = 2 + random.below(3);
			const first = thread.send({ count });
			thread.later();
			const second = thread.send({ count, version: 2, above: first.patches[0] });
			const number = 1 + random.below(count);
			thread.patch(`[PATCH v2 ${number}/${count}] ${thread.title}: open a hole`, number, {
				from: people.eve,
				above: second.patches[0],
			});
			return [meant(1, undefined, first.patches), meant(2, undefined, second.patches, true)];
		},
	],
	'the same version twice': [6, below({ tag: () => '[PATCH v2 #]', version: 2, firstVersion: 2 })],
	'a later version twice': [
		5,
		(thread, random) => {
			const count = 1 + random.below(3);
			const first = thread.send({ count });
			const sent = [0, 1].map(() => {
				thread.later();
				return thread.send({ count, version: 2, cover: count > 1 ? 'tagged' : 'none', above: first.patches[0] });
			});
			return [
				meant(1, undefined, first.patches),
				...sent.map(({ cover, patches }, at) => meant(2, cover, patches, at === 1)),
			];
		},
	],
	'the next version without a number': [6, below({ tag: () => '[PATCH #]', version: 1 })],
	'a word joined to the version': [
		5,
		below({ tag: (random) => random.pick(['[PATCH v2-rebased #]', '[PATCH v2-change-email #]']), version: 2 }),
	],
	'a word instead of a version': [
		5,
		below({ tag: (random) => random.pick(['[PATCH rebased #]', '[PATCH RESEND #]']), version: 1 }),
	],
	'a companion patch in reply': [
		5,
		(thread, random) => {
			const first = thread.send({ count: 1 + random.below(2) });
			const companion = thread.patch(`[PATCH] tests: try the ${thread.title}`, 8, { above: first.patches[0] });
			return [meant(1, undefined, first.patches, true), meant(1, undefined, [companion])];
		},
	],
	'a patch beyond the count': [
		4,
		(thread, random) => {
			const count = 2 + random.below(2);
			const first = thread.send({ count, cover: coverOrNone(random) });
			const extra = thread.patch(`[PATCH ${count + 1}/${count}] not for merge: print it`, 8, {
				above: first.cover ?? first.patches[0],
			});
			return [meant(1, first.cover, first.patches, true), meant(1, undefined, [extra])];
		},
	],
	'a fixup in reply': [
		4,
		(thread, random) => {
			const count = 1 + random.below(3);
			const first = thread.send({ count });
			const index = 1 + random.below(count);
			const fixup = thread.patch(`[PATCH] fixup! ${thread.patchTitle(index)}`, index, {
				above: first.patches[index - 1],
			});
			return [meant(1, undefined, first.patches, true), meant(1, undefined, [fixup])];
		},
	],
	'a request for comments': [5, tagged((random) => random.pick(['[RFC #]', '[RFC PATCH #]', '[RFC][PATCH #]']))],
	'a request for comments, second version': [
		3,
		tagged((random) => random.pick(['[RFC v2 #]', '[RFC PATCH v2 #]']), { version: 2 }),
	],
	'a series sent again': [3, tagged(() => '[RESEND PATCH #]')],
	'a version in brackets of its own': [3, tagged(() => '[[PATCH v3] #]', { version: 3 })],
	'a joined version': [4, tagged(() => '[PATCHv6 #]', { version: 6 })],
	'brackets of a list or tool': [
		5,
		tagged((random) => random.pick(['[BUGFIX] [PATCH #]', '[devel] [PATCH #]', '[PATCH alpha] [#]'])),
	],
	'a cover letter without a tag': [
		5,
		(thread, random) => {
			const count = 2 + random.below(3);
			const { cover, patches } = thread.send({ count, cover: 'free', isChain: random.chance(30) });
			return [meant(1, cover, patches, true)];
		},
	],
	'a cover letter with another tag': [
		4,
		(thread, random) => {
			const count = 2 + random.below(3);
			const tag = (index: number): string => (index === 0 ? `[PATCHSET 0/${count}]` : `[PATCH ${index}/${count}]`);
			const { cover, patches } = thread.send({ count, tag, cover: 'tagged' });
			return [meant(1, cover, patches, true)];
		},
	],
	'senders behind the address of the list': [
		6,
		(thread, random) => {
			const count = 2 + random.below(3);
			const from = people.annByList;
			const first = thread.send({ count, from, cover: coverOrNone(random) });
			const above = first.cover ?? first.patches[0];
			thread.later();
			const number = 1 + random.below(count);
			const change = { from: people.eveByList, above };
			thread.patch(`[PATCH ${number}/${count}] ${thread.title}: open a hole`, number, change);
			thread.patch(`[PATCH v2 ${number}/${count}] ${thread.title}: open a hole`, number, change);
			const second = thread.send({ count, version: 2, from, above });
			return [meant(1, first.cover, first.patches), meant(2, second.cover, second.patches)];
		},
	],
	'one thread per patch': [
		5,
		(thread, random) => {
			const version = 1 + random.below(2);
			const { patches } = thread.send({ count: 2 + random.below(3), version, isApart: true });
			return [meant(version, undefined, patches, true)];
		},
	],
	'no numbers below a cover letter': [
		3,
		(thread, random) => {
			const { cover, patches } = thread.send({ count: 2 + random.below(2), tag: () => '[PATCH]', cover: 'free' });
			return [meant(1, cover, patches, true)];
		},
	],
	'a patch below a question': [
		4,
		(thread, random) => {
			const question = thread.mail(`Crash in ${thread.title}`, { from: people.rob });
			const answer = thread.review(question, people.ann);
			thread.later();
			const count = 1 + random.below(2);
			const first = thread.send({ count, above: answer });
			thread.later();
			const second = thread.send({ count, version: 2, above: first.patches[0] });
			return [meant(1, undefined, first.patches), meant(2, undefined, second.patches, true)];
		},
	],
	'a patch whose parent is lost': [
		3,
		(thread, random) => {
			const count = 2 + random.below(3);
			const { cover, patches } = thread.send({ count, cover: coverOrNone(random), lostAbove: 1 + random.below(count) });
			return [meant(1, cover, patches, true)];
		},
	],
	'a patch that arrives before its cover letter': [
		4,
		(thread, random) => {
			const { cover, patches } = thread.send({ count: 2 + random.below(4), cover: 'tagged', isAtOnce: true });
			const [first] = thread.mails.splice(0, 1);
			thread.mails.splice(1 + random.below(patches.length - 1), 0, ...(first ? [first] : []));
			return [meant(1, cover, patches, true)];
		},
	],
	'replies with trailers': [
		8,
		(thread, random) => {
			const { cover, patches } = thread.send({ count: 1 + random.below(4), cover: coverOrNone(random) });
			return [{ ...meant(1, cover, patches, true), replies: replies(thread, random, { cover, patches }) }];
		},
	],
	'replies that arrive before their patches': [
		6,
		(thread, random) => {
			const { cover, patches } = thread.send({ count: 2 + random.below(3), cover: coverOrNone(random) });
			const said = replies(thread, random, { cover, patches });
			const sent = [...patches, ...(cover ? [cover] : [])].map((mail) => thread.mails.indexOf(mail));
			const late = Math.min(...sent) + random.below(sent.length);
			const [mail] = thread.mails.splice(late, 1);
			thread.mails.splice(late + 1 + random.below(thread.mails.length - late), 0, ...(mail ? [mail] : []));
			return [{ ...meant(1, cover, patches, true), replies: said }];
		},
	],
	'replies in the threads of single patches': [
		5,
		(thread, random) => {
			const { patches } = thread.send({ count: 2 + random.below(3), isApart: true });
			const said = replies(thread, random, { cover: undefined, patches });
			return [{ ...meant(1, undefined, patches, true), replies: said }];
		},
	],
	'a partial re-roll in the threads of single patches': [
		4,
		(thread, random) => {
			const count = 2 + random.below(4);
			const first = thread.send({ count, isApart: true });
			thread.later();
			const index = 1 + random.below(count);
			const again = thread.send({ count, version: 2, only: [index], above: first.patches[index - 1] });
			const patches = first.patches.with(index - 1, again.patches[0] ?? first.patches[0]!);
			return [meant(1, undefined, first.patches), meant(2, 'any', patches, true)];
		},
	],
	'other titles with equal patches': [4, again({ from: people.ann, isNewest: true })],
	'equal patches of a stranger': [4, again({ from: people.eve, isNewest: false })],
	'equal patches from another address': [3, again({ from: people.annHome, isNewest: false })],
	'equal dates': [
		4,
		(thread, random) => {
			const { cover, patches } = thread.send({
				count: 2 + random.below(4),
				cover: coverOrNone(random),
				isAtOnce: true,
			});
			return [meant(1, cover, patches, true)];
		},
	],
	'an answer with a diff': [
		3,
		(thread, random) => {
			const count = 1 + random.below(3);
			const { patches } = thread.send({ count });
			thread.patch(`Re: [PATCH] ${thread.patchTitle(1)}`, 1, { from: people.rob, above: patches[0] });
			return [meant(1, undefined, patches, true)];
		},
	],
	'another address of the sender': [
		2,
		(thread, random) => {
			const count = 1 + random.below(2);
			const first = thread.send({ count });
			thread.later();
			const second = thread.send({ count, version: 2, from: people.annHome, above: first.patches[0] });
			return [meant(1, undefined, first.patches), meant(2, undefined, second.patches)];
		},
	],
};
