import { MadeThread, people, type MadeMail, type MeantVersion } from './madeThread.ts';
import { createRandom } from './random.ts';
import type { MadeSeries } from './seriesCorpus.ts';

/*
 * Series that differ in their replies, messages and encodings, for comparisons with other programs.
 */

const rob = people.rob;
const reviewed = `Reviewed-by: ${rob}`;

/** A reply: the mail that it answers, its sender, and its text. `last`: the reply before. */
type Said = readonly [to: 'cover' | 'last' | 1 | 2, from: string, text: string];

const said: Readonly<Record<string, readonly Said[]>> = {
	'a review of one patch': [[1, rob, reviewed]],
	'a review of the whole series': [['cover', rob, reviewed]],
	'two trailers in one reply': [[2, rob, `${reviewed}\nTested-by: ${rob}`]],
	'a review of the series and of a patch': [
		['cover', rob, reviewed],
		[1, rob, reviewed],
	],
	'reviews of a patch and then of the series': [
		[2, people.max, `Acked-by: ${people.max}`],
		['cover', rob, reviewed],
		[1, people.eve, `Tested-by: ${people.eve}`],
	],
	'a review below a remark': [
		[1, people.max, 'This looks odd.'],
		['last', rob, reviewed],
	],
	'a trailer below a trailer': [
		[1, rob, reviewed],
		['last', people.max, `Acked-by: ${people.max}`],
	],
	'a trailer below an answer of the author': [
		[1, rob, 'Is it fast?'],
		['last', people.ann, 'Yes.'],
		['last', rob, `Thanks.\n\n${reviewed}`],
	],
	'a remark behind a trailer': [[1, rob, `Tested-by: ${rob} # on arm64`]],
	'a remark below a trailer': [[1, rob, `Tested-by: ${rob}\n[on arm64]`]],
	'a trailer from another address of the same name': [[1, 'Rob Reviewer <rob@home.example>', reviewed]],
	'a trailer for somebody else': [[1, people.eve, reviewed]],
	'a trailer for somebody else with a trailer below': [
		[1, people.eve, reviewed],
		['last', people.max, `Acked-by: ${people.max}`],
	],
	'a trailer that the author adds for another person': [[1, people.ann, `Tested-by: ${people.eve}`]],
	'an address with an addition': [[1, 'R. Reviewer <rob+lists@r.example>', reviewed]],
	'an address in a domain below': [[1, 'R. Reviewer <rob@mail.r.example>', reviewed]],
	'an address in capitals': [[1, 'Rob Reviewer <Rob@R.example>', reviewed]],
	'two spellings of a name': [
		[1, rob, reviewed],
		['cover', rob, 'Reviewed-by: R. Reviewer <rob@r.example>'],
	],
	'the same trailer twice': [
		[1, rob, reviewed],
		[1, rob, reviewed],
	],
	'a key in small letters': [[1, rob, reviewed.toLowerCase().replace('rob reviewer', 'Rob Reviewer')]],
	'a trailer over two lines': [[1, rob, 'Reviewed-by: Rob Reviewer\n<rob@r.example>']],
	'copies in a reply': [[1, rob, `Cc: ${people.eve}\nTo: ${people.max}\n${reviewed}`]],
	'a faulty commit in a reply': [[1, rob, 'Fixes: 0123456789ab ("alpha: begin")']],
	'a link in a reply': [[1, rob, `Link: https://bugs.example/7\n${reviewed}`]],
	'a closed bug in a reply': [[1, rob, 'Closes: https://bugs.example/8']],
	'an objection': [[1, people.max, `NAKed-by: ${people.max}`]],
	'other credits': [
		[1, people.eve, `Suggested-by: ${people.eve}\nReported-by: ${people.eve}`],
		[2, people.max, `Co-developed-by: ${people.max}\nSigned-off-by: ${people.max}`],
	],
	'a person behind another key': [[1, rob, `Thanks-to: ${rob}`]],
	'a quoted trailer': [[1, people.max, `> ${reviewed}\n\nI agree.`]],
	'a trailer below a signature': [[1, rob, `Fine.\n\n-- \nRob\n${reviewed}`]],
	'an indented trailer': [[1, rob, `  ${reviewed}`]],
	'a trailer without an address': [[1, rob, 'Acked-by: Rob Reviewer']],
	'a trailer without a name': [[1, rob, 'Acked-by: rob@r.example\nTested-by: <rob@r.example>']],
	'words behind a trailer': [[1, rob, `${reviewed}, nice work`]],
	'a full stop behind a trailer': [[1, rob, `${reviewed}.`]],
	'a trailer in a sentence': [[1, rob, `With that changed, ${reviewed}`]],
	'a trailer among sentences': [[1, rob, `Nice.\n${reviewed}\nPlease send more.`]],
	'the link of a mail program in a trailer': [
		[1, rob, 'Reviewed-by: Rob Reviewer <rob@r.example<mailto:rob@r.example>>'],
	],
	'a trailer that the patch has': [[1, people.ann, `Signed-off-by: ${people.ann}`]],
	'a name with a comma': [[1, '"Reviewer, Rob" <rob@r.example>', 'Reviewed-by: Reviewer, Rob <rob@r.example>']],
	'a name outside ASCII': [
		[1, '=?utf-8?q?J=C3=BCrgen_Gro=C3=9F?= <jg@g.example>', 'Reviewed-by: Jürgen Groß <jg@g.example>'],
	],
	'a quotation around a trailer': [[1, rob, `> one\n\n${reviewed}\n\n> two\n\nFine, too.`]],
};

/** Messages of patches. The diff and a review follow. */
const messages: Readonly<Record<string, string>> = {
	'without trailers': 'Explain the change.\n',
	'without text': '',
	'with trailers only': `Signed-off-by: ${people.ann}\n`,
	'with words in the last paragraph': `Explain it.\n\nSome words\nSigned-off-by: ${people.ann}\n`,
	'with a note in the form of a trailer': 'Explain it.\n\nNote: nothing else changes.\n',
	'with many trailers': [
		'Explain it.\n',
		'Fixes: 0123456789ab ("alpha: begin")',
		'Cc: stable@kernel.example # 5.10+',
		'Link: https://bugs.example/9',
		`Reported-by: ${people.eve}`,
		'Closes: https://bugs.example/10',
		`Signed-off-by: ${people.ann}\n`,
	].join('\n'),
	'with a note between trailers': `Explain it.\n\nSigned-off-by: ${people.max}\n[ann: fix a typo]\nSigned-off-by: ${people.ann}\n`,
	'with a trailer of several lines': `Explain it.\n\nFixes: 0123456789ab ("alpha: begin\n of it")\nSigned-off-by: ${people.ann}\n`,
	'with a trailer twice': `Explain it.\n\nSigned-off-by: ${people.ann}\nSigned-off-by: ${people.ann}\n`,
	'with the review of its reply': `Explain it.\n\n${reviewed}\nSigned-off-by: ${people.ann}\n`,
	'with trailers in two paragraphs': `Explain it.\n\n${reviewed}\n\nSigned-off-by: ${people.ann}\n`,
	'with an address at the end': `Explain it. See:\n\nhttps://docs.example/alpha\n`,
	'with the author at its head': `From: ${people.eve}\n\nExplain it.\n\nSigned-off-by: ${people.eve}\n`,
	'with all headers at its head': `From: ${people.eve}\nSubject: alpha: another title\nDate: Mon, 2 Feb 2026 10:00:00 +0100\n\nExplain it.\n`,
	'below scissors': `Hello all,\n\nthis is for you.\n\n-- >8 --\nExplain it.\n\nSigned-off-by: ${people.ann}\n`,
	'with notes for readers': `Explain it.\n\nSigned-off-by: ${people.ann}\n---\nv2: nothing yet\n\n${reviewed}\n`,
	'with lines of mailboxes': `Explain it.\n\nFrom here on it is fast.\n>From there it was not.\n`,
	'with blanks at its end': `Explain it.  \n\n\nSigned-off-by: ${people.ann}  \n\n\n`,
	'with a list': 'Explain it:\n\n - one: first\n - two: second\n',
	'with the signs of a comment': `Explain it.\n\n# not a comment\nSigned-off-by: ${people.ann}\n`,
	'outside ASCII': 'Größe — erklärt.\n\nSigned-off-by: Jürgen Groß <jg@g.example>\n',
};

const codings = ['base64', 'base64 of CR LF', 'quoted-printable', 'Latin-1', 'attached'] as const;

type Change = (mail: MadeMail) => Partial<MadeMail> | undefined;
interface Made {
	readonly versions: readonly MeantVersion[];
	/** Changes of finished mails. */
	readonly change?: Change;
	/** Mails that the archive never received. */
	readonly lost?: readonly MadeMail[];
}

const versionOf = (version: number, { cover, patches }: Pick<MeantVersion, 'cover' | 'patches'>): MeantVersion => ({
	version,
	cover,
	patches,
	isNewest: false,
});

function replied(thread: MadeThread, above: MadeMail | undefined, from: string, text: string): MadeMail {
	return thread.mail(`Re: ${above?.subject ?? ''}`, { from, above, text: `> Explain the change.\n\n${text}\n` });
}

function diffOf({ text }: MadeMail): string {
	return text.slice(text.indexOf('\n---\n') + 1);
}

/** Two versions with a review of the first one. */
function again(change: {
	readonly isUnchanged: boolean;
	readonly isApart?: boolean;
	readonly isOfCover?: boolean;
	readonly isLater?: boolean;
}): (thread: MadeThread) => Made {
	return (thread) => {
		const shape = { count: 2, cover: 'tagged', isUnchanged: change.isUnchanged } as const;
		const first = thread.send(shape);
		const review = (): MadeMail =>
			replied(thread, change.isOfCover === true ? first.cover : first.patches[1], rob, reviewed);
		if (change.isLater !== true) {
			review();
		}
		thread.later();
		const above = change.isApart === true ? undefined : first.cover;
		const second = thread.send({ ...shape, version: 2, above });
		if (change.isLater === true) {
			review();
		}
		replied(thread, second.patches[0], people.max, `Acked-by: ${people.max}`);
		return { versions: [versionOf(1, first), versionOf(2, second)] };
	};
}

/** A series in other brackets, with a review. */
function bracketed(head: string, version = 1): (thread: MadeThread) => Made {
	return (thread) => {
		const sent = thread.send({ count: 2, cover: 'tagged', tag: (index) => head.replace('#', `${index}/2`) });
		replied(thread, sent.patches[1], rob, reviewed);
		return { versions: [versionOf(version, sent)] };
	};
}

const forms: Readonly<Record<string, (thread: MadeThread) => Made>> = {
	'a later version of equal patches': again({ isUnchanged: true }),
	'a later version of equal patches in its own thread': again({ isUnchanged: true, isApart: true }),
	'a later version of equal patches and a reviewed cover letter': again({ isUnchanged: true, isOfCover: true }),
	'a later version of other patches': again({ isUnchanged: false }),
	'a late review of the version before': again({ isUnchanged: true, isLater: true }),
	'a missing patch': (thread) => {
		const sent = thread.send({ count: 3, cover: 'tagged' });
		replied(thread, sent.patches[2], rob, reviewed);
		const [one, two, three] = sent.patches;
		return { versions: [versionOf(1, { ...sent, patches: [one!, three!] })], lost: [two!] };
	},
	'a missing cover letter': (thread) => {
		const sent = thread.send({ count: 2, cover: 'tagged' });
		replied(thread, sent.cover, people.max, `Acked-by: ${people.max}`);
		replied(thread, sent.patches[1], rob, reviewed);
		return { versions: [versionOf(1, { ...sent, cover: undefined })], lost: [sent.cover!] };
	},
	'a missing first patch': (thread) => {
		const sent = thread.send({ count: 3 });
		replied(thread, sent.patches[1], rob, reviewed);
		return { versions: [versionOf(1, { ...sent, patches: sent.patches.slice(1) })], lost: [sent.patches[0]!] };
	},
	'a patch that came twice': (thread) => {
		const sent = thread.send({ count: 2, cover: 'tagged' });
		const twice = thread.mail(sent.patches[1]!.subject, { above: sent.cover, text: sent.patches[1]!.text });
		replied(thread, sent.patches[1], rob, reviewed);
		replied(thread, twice, people.max, `Acked-by: ${people.max}`);
		return { versions: [versionOf(1, sent)] };
	},
	'a series sent again in its own thread': (thread) => {
		const first = thread.send({ count: 2, cover: 'tagged', isUnchanged: true });
		replied(thread, first.patches[0], rob, reviewed);
		thread.later();
		const tag = (index: number): string => `[PATCH RESEND ${index}/2]`;
		const second = thread.send({ count: 2, cover: 'tagged', isUnchanged: true, tag });
		return { versions: [versionOf(1, first), versionOf(1, second)] };
	},
	'dates in the wrong order': (thread) => {
		const sent = thread.send({ count: 3, cover: 'tagged' });
		replied(thread, sent.patches[0], rob, reviewed);
		const all = [sent.cover!, ...sent.patches];
		const change: Change = (mail) =>
			all.includes(mail) ? { sentMs: all[all.length - 1 - all.indexOf(mail)]!.sentMs } : undefined;
		return { versions: [versionOf(1, sent)], change };
	},
	'replies older than their patch': (thread) => {
		const sent = thread.send({ count: 2, cover: 'tagged' });
		const reply = replied(thread, sent.patches[0], rob, reviewed);
		replied(thread, sent.patches[0], people.max, `Acked-by: ${people.max}`);
		return {
			versions: [versionOf(1, sent)],
			change: (mail) => (mail === reply ? { sentMs: sent.cover!.sentMs - 60_000 } : undefined),
		};
	},
	'a review under another subject': (thread) => {
		const sent = thread.send({ count: 1 });
		thread.mail('Looks fine', { from: rob, above: sent.patches[0], text: `${reviewed}\n` });
		return { versions: [versionOf(1, sent)] };
	},
	'a review with a diff': (thread) => {
		const sent = thread.send({ count: 2 });
		replied(thread, sent.patches[1], rob, `With this below:\n\n${reviewed}\n\n${diffOf(sent.patches[0]!)}`);
		return { versions: [versionOf(1, sent)] };
	},
	'a part of a series again, with reviews': (thread) => {
		const first = thread.send({ count: 3 });
		replied(thread, first.patches[0], rob, reviewed);
		replied(thread, first.patches[1], rob, reviewed);
		thread.later();
		const second = thread.send({ count: 3, version: 2, only: [2], above: first.patches[1] });
		replied(thread, second.patches[0], people.max, `Acked-by: ${people.max}`);
		return {
			versions: [
				versionOf(1, first),
				versionOf(2, { cover: 'any', patches: first.patches.with(1, second.patches[0]!) }),
			],
		};
	},
	'a request for comments with a review': bracketed('[RFC PATCH #]'),
	'the branch in the brackets': bracketed('[PATCH net-next v2 #]', 2),
	'the subproject in the brackets': bracketed('[PATCH alpha-utils v3 #]', 3),
	'brackets in another order': bracketed('[v2 PATCH #]', 2),
	'no version, with a word': bracketed('[RESEND PATCH #]'),
};

function answered(replies: readonly Said[]): (thread: MadeThread) => Made {
	return (thread) => {
		const sent = thread.send({ count: 2, cover: 'tagged' });
		let last: MadeMail | undefined;
		for (const [to, from, text] of replies) {
			const above = to === 'cover' ? sent.cover : to === 'last' ? last : sent.patches[to - 1];
			last = replied(thread, above, from, text);
		}
		return { versions: [versionOf(1, sent)] };
	};
}

function messaged(message: string, coding?: MadeMail['coding']): (thread: MadeThread) => Made {
	return (thread) => {
		const sent = thread.send({ count: 1 });
		const [patch] = sent.patches;
		replied(thread, patch, rob, reviewed);
		const change: Change = (mail) =>
			mail === patch ? { text: `${message}${diffOf(mail)}`, ...(coding ? { coding } : {}) } : undefined;
		return { versions: [versionOf(1, sent)], change };
	};
}

/** The same series at each call. */
export function answeredSeries(): readonly MadeSeries[] {
	const makers: readonly (readonly [string, (thread: MadeThread) => Made])[] = [
		...Object.entries(said).map(([name, replies]) => [name, answered(replies)] as const),
		...Object.entries(messages).map(([name, text]) => [`a message ${name}`, messaged(text)] as const),
		...codings.map((coding) => [`a patch in ${coding}`, messaged(messages['outside ASCII'] ?? '', coding)] as const),
		...Object.entries(forms),
	];
	return makers.map(([name, make], at): MadeSeries => {
		const thread = new MadeThread(createRandom(20_261_130 + at), 'alpha');
		const { versions, change, lost = [] } = make(thread);
		const mails = thread.mails.filter((mail) => !lost.includes(mail)).map((mail) => ({ ...mail, ...change?.(mail) }));
		return { name, mails, versions };
	});
}
