import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giftsOf, withTrailerBytes } from '../../src/series/comparedTrailers.ts';
import { readMailbox } from '../../src/files/readMailbox.ts';
import { postedSeries, type PostedSeries } from '../../src/series/postedSeries.ts';
import { trailersOfThread } from '../../src/series/threadTrailers.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { gitSince } from '../../../../test/support/gitSince.ts';
import { gitIn } from '../../../../test/support/patchMakerGit.ts';
import { createRandom, type Random } from '../../../../test/support/random.ts';

const people = ['Dave Okafor <dave@forge.test>', 'Erin Lee <erin@forge.test>', 'Frank Ng <frank@forge.test>'] as const;
const keys = ['Reviewed-by', 'Acked-by', 'Tested-by'] as const;
const sender = 'Alice Author <alice@forge.test>';
const fileNames = ['a.c', 'b.c', 'c.c', 'd.c'] as const;
type FileName = (typeof fileNames)[number];

/** Replaces one line of a file, or adds a line below it. */
interface Edit {
	readonly file: FileName;
	readonly line: number;
	readonly text: string;
	readonly isAdded: boolean;
}

interface Commit {
	readonly title: string;
	readonly words: string;
	readonly edits: readonly Edit[];
	readonly isExecutable: boolean;
	/** Index of the commit of the first version, if it has one. */
	readonly was: number | undefined;
	readonly trailers: readonly string[];
}

/** A reply with a trailer. `at`: index of its patch, or the cover letter. */
interface Reply {
	readonly version: 1 | 2;
	readonly at: number | 'cover';
	readonly trailer: string;
	readonly from: string;
}

interface MadeSeries {
	readonly versions: readonly [readonly Commit[], readonly Commit[]];
	/** Lines above each file of the second version's base. */
	readonly above: readonly string[];
	readonly replies: readonly Reply[];
}

function makeSeries(random: Random, number: number): MadeSeries {
	const edit = (): Edit => ({
		file: random.pick(fileNames),
		line: random.below(30),
		text: `value = ${random.below(1000)};`,
		isAdded: random.chance(50),
	});
	const trailer = (): string => `${random.pick(keys)}: ${random.pick(people)}`;
	const commit = (title: string, was: number | undefined): Commit => ({
		title,
		words: 'It was missing.',
		edits: Array.from({ length: 1 + random.below(3) }, edit),
		isExecutable: random.chance(5),
		was,
		// Reviews outside the list.
		trailers: random.chance(15) ? [trailer()] : [],
	});
	const first = Array.from({ length: 1 + random.below(5) }, (_, at) => commit(`part ${at} of ${number}`, at));
	const replies: Reply[] = [];
	const reply = (version: 1 | 2, count: number): void => {
		const given = trailer();
		const at = random.chance(25) ? 'cover' : random.below(count);
		const isOwn = random.chance(85);
		const from = isOwn ? given.slice(given.indexOf(':') + 2) : 'Mallory <mallory@forge.test>';
		replies.push({ version, at, trailer: given, from });
	};
	Array.from({ length: 1 + random.below(5) }, () => reply(1, first.length));
	const second = first.flatMap((old): readonly Commit[] => {
		const [one, ...more] = old.edits;
		switch (random.below(9)) {
			case 0:
				return [];
			case 1:
				return [old, commit(`further part ${random.below(1000)}`, undefined)];
			case 2:
				return [{ ...old, words: 'It was missing, and more.' }];
			case 3:
				return [{ ...old, edits: [{ ...one!, text: `value  =  ${one!.text.slice(8)}` }, ...more] }];
			case 4:
				return [{ ...old, edits: [{ ...one!, text: `${one!.text} // changed` }, ...more] }];
			case 5:
				return [{ ...old, title: `${old.title}, renamed`, edits: [...old.edits, edit()] }];
			case 6:
				return [{ ...old, isExecutable: !old.isExecutable }];
			default:
				return [old];
		}
	});
	if (random.chance(20)) {
		second.reverse();
	}
	const kept = second.length === 0 ? first : second;
	Array.from({ length: random.below(3) }, () => reply(2, kept.length));
	const carried = kept.map((each) => {
		const given = replies.filter(({ version, at }) => version === 1 && (at === each.was || at === 'cover'));
		const taken = given.filter(() => random.chance(80)).map((one) => one.trailer);
		const wrong = replies.filter(({ version }) => version === 1 && random.chance(10)).map((one) => one.trailer);
		const trailers = [...each.trailers, ...taken, ...wrong, ...(random.chance(15) ? [trailer()] : [])];
		return { ...each, trailers: Array.from(new Set(trailers)) };
	});
	const above = fileNames.map(() => (random.chance(25) ? 'a line of the new base\n' : ''));
	return { versions: [first, carried], above, replies };
}

/** Commands of fast-import for both versions of a series. */
function importOf({ versions, above }: MadeSeries, number: number): string {
	const base = fileNames.map((name) => Array.from({ length: 30 }, (_, at) => `${name} line ${at}`));
	return versions
		.flatMap((commits, at) => {
			const name = `refs/heads/s${number}-v${at + 1}`;
			const files = new Map(fileNames.map((file, index) => [file, [...base[index]!]]));
			const top = (file: FileName): string => (at === 0 ? '' : above[fileNames.indexOf(file)]!);
			const modes = new Map<string, string>();
			const put = (file: FileName): string => {
				const text = `${top(file)}${files.get(file)!.join('\n')}\n`;
				return `M ${modes.get(file) ?? '100644'} inline ${file}\ndata ${text.length}\n${text}\n`;
			};
			const head = (message: string): string =>
				`commit ${name}\nauthor ${sender} 1700000000 +0000\ncommitter ${sender} 1700000000 +0000\ndata ${message.length}\n${message}\n`;
			return [
				`reset ${name}\n${head(`base of ${name}\n`)}${fileNames.map(put).join('')}\n`,
				...commits.map(({ title, words, edits, isExecutable, trailers }) => {
					for (const { file, line, text, isAdded } of edits) {
						const lines = files.get(file)!;
						lines.splice(Math.min(line, lines.length - 1), isAdded ? 0 : 1, text);
						modes.set(file, isExecutable ? '100755' : (modes.get(file) ?? '100644'));
					}
					const all = [...trailers, `Signed-off-by: ${sender}`].join('\n');
					const touched = new Set(edits.map(({ file }) => file));
					return `${head(`${title}\n\n${words}\n\n${all}\n`)}${[...touched].map(put).join('')}\n`;
				}),
			];
		})
		.join('');
}

/** The mailbox of `git format-patch`, and the replies below. */
function mailboxOf(folder: string, { versions, replies }: MadeSeries, number: number): string {
	const boxes = versions.map((commits, at) =>
		gitIn(folder, [
			'-c',
			'user.name=Alice',
			'-c',
			'user.email=alice@forge.test',
			'format-patch',
			'--stdout',
			'--thread=shallow',
			'--cover-letter',
			'--full-index',
			`--subject-prefix=PATCH${at === 0 ? '' : ' v2'}`,
			`s${number}-v${at + 1}~${commits.length}..s${number}-v${at + 1}`,
		])
			.toString()
			// The ids of both cover letters have the time of this second.
			.replaceAll('<cover.', `<v${at + 1}.cover.`)
			.replaceAll('*** SUBJECT HERE ***', `all of ${number}`)
			.replaceAll(/^From: .*$/gm, `From: ${sender}`),
	);
	const answers = replies.map(({ version, at, trailer, from }, count) => {
		const heads = Array.from(boxes[version - 1]!.matchAll(/^Message-Id: (<.*>)$/gim), ([, id]) => id!);
		const parent = heads[at === 'cover' ? 0 : at + 1]!;
		return [
			'From nobody Mon Sep 17 00:00:00 2001',
			`From: ${from}`,
			'Date: Wed, 15 Nov 2023 10:00:00 +0000',
			`Subject: Re: [PATCH] part`,
			`Message-ID: <answer-${count}@forge.test>`,
			`In-Reply-To: ${parent}`,
			'',
			`Fine.\n\n${trailer}\n\n`,
		].join('\n');
	});
	return [...boxes, ...answers].join('');
}

interface GitFacts {
	readonly stable: string;
	readonly verbatim: string;
	/** Modes, blob ids and paths. */
	readonly raw: string;
	readonly modes: string;
}

function gitFacts(folder: string, tip: string, count: number): readonly GitFacts[] {
	const commits = gitIn(folder, ['rev-list', '--reverse', `${tip}~${count}..${tip}`])
		.toString()
		.trim()
		.split('\n');
	return commits.map((commit) => {
		const diff = gitIn(folder, ['diff-tree', '-p', commit]);
		const raw = gitIn(folder, ['diff-tree', '-r', '--no-commit-id', commit]).toString();
		const id = (kind: string): string => gitIn(folder, ['patch-id', kind], diff).toString().slice(0, 40);
		return {
			stable: id('--stable'),
			verbatim: id('--verbatim'),
			raw,
			modes: raw.replaceAll(/ [0-9a-f]{40}/g, ''),
		};
	});
}

/** The class of a trailer by git's ids and the generator's own notes, without the code under test. */
function expectedClass(
	{ replies, versions }: MadeSeries,
	[before, after]: readonly [readonly GitFacts[], readonly GitFacts[]],
	at: number,
	trailer: string,
): string {
	const own = replies.filter((each) => each.trailer === trailer && trailer.endsWith(` ${each.from}`));
	const isOf = (reply: Reply, version: number, index: number): boolean =>
		reply.version === version && (reply.at === index || reply.at === 'cover');
	if (trailer.endsWith(sender) || own.some((reply) => isOf(reply, 2, at))) {
		return 'these';
	}
	const given = before.filter((_, index) => own.some((reply) => isOf(reply, 1, index)));
	const now = after[at]!;
	if (given.some(({ stable, raw }) => stable === now.stable && raw === now.raw)) {
		return 'these';
	}
	if (given.some(({ verbatim, modes }) => verbatim === now.verbatim && modes === now.modes)) {
		return 'sameChanges';
	}
	return given.length > 0 && versions[0].length > 0 ? 'other' : 'unknown';
}

async function foundClasses(mailbox: string): Promise<ReadonlyMap<string, string>> {
	const mails = await readMailbox(Buffer.from(mailbox), new AbortController().signal);
	const [first, second] = postedSeries(mails).toSorted((a, b) => a.version - b.version);
	const trailersOf = ({ thread, series }: PostedSeries) => trailersOfThread(thread, series);
	const earlier = { version: 1, id: first!.id, series: first!.series, trailers: trailersOf(first!) };
	const trailers = withTrailerBytes(trailersOf(second!), second!.series.patches, giftsOf(earlier), new Set());
	return new Map(
		trailers
			.filter(({ isInPatch }) => isInPatch)
			.flatMap(({ key, value, bytes = [] }) =>
				bytes.map(({ index, kind }) => [`${index} ${key}: ${value}`, kind] as const),
			),
	);
}

suite('bytes of trailers beside git', () => {
	test('carried trailers have the class that patch ids and blob ids of git state', async function () {
		if (!gitSince('2.39')) {
			this.skip();
		}
		const folder = mkdtempSync(join(tmpdir(), 'forge-desk-trailers-'));
		const random = createRandom(seed());
		const found = new Map<string, number>();
		try {
			gitIn(folder, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
			const all = Array.from({ length: counts({ small: 12, full: 200 }) }, (_, at) => makeSeries(random, at));
			gitIn(folder, ['fast-import', '--quiet', '--force'], all.map(importOf).join(''));
			for (const [number, made] of all.entries()) {
				const factsOf = (version: 1 | 2): readonly GitFacts[] =>
					gitFacts(folder, `s${number}-v${version}`, made.versions[version - 1]!.length);
				const facts = [factsOf(1), factsOf(2)] as const;
				const expected = made.versions[1].flatMap(({ trailers }, at) =>
					[...trailers, `Signed-off-by: ${sender}`].map(
						(trailer) => [`${at + 1} ${trailer}`, expectedClass(made, facts, at, trailer)] as const,
					),
				);
				const classes = await foundClasses(mailboxOf(folder, made, number));
				assert.deepEqual(Object.fromEntries(classes), Object.fromEntries(expected), `series ${number}, seed ${seed()}`);
				expected.forEach(([, kind]) => found.set(kind, (found.get(kind) ?? 0) + 1));
			}
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
		for (const kind of ['these', 'sameChanges', 'other', 'unknown']) {
			assert.ok((found.get(kind) ?? 0) >= 3, `${kind}: ${found.get(kind)}`);
		}
	});
});
