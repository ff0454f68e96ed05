// Reads collections of mails, diffs, JSON and Markdown, and compares with git, Python and JSON.parse: main.ts FOLDER
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { jsonAnswerer } from '@forge-desk/base/workerJson.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import type { MailReading, ReadableMail } from 'patchmail/mail/readableMail.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import { readSeries } from 'patchmail/series/series.ts';
import type { PatchMail } from 'patchmail/series/seriesReading.ts';
import { markdownRenderer } from '../../src/engine/text/markdown.ts';
import { keepProofTable } from '../support/proofTable.ts';
import { runCases } from '../support/shellCases.ts';
import { casesIn, type ForeignCase } from './collections.ts';

/** `told`: the product reports that it reads the input differently, or not at all. */
type Outcome = 'equal' | 'told' | 'silent' | 'crash' | 'slow';
type Verdict = readonly [outcome: Outcome, why: string];

/** Per started half megabyte. */
const slowCpuMs = 250;
const halfMegabyte = 500_000;
const perBatch = 300;
const equal: Verdict = ['equal', ''];

interface GitReading {
	readonly isRefused: boolean;
	readonly author: string;
	readonly address: string;
	readonly subject: string;
	readonly message: string;
	readonly patch: Buffer;
	/** Paths and counts by `git apply --numstat`; `undefined` if git rejects the diff. */
	readonly counts: string | undefined;
}

const mailScript = `git mailinfo message patch <mail >info 2>&1 || exit 1
git apply --numstat --allow-empty patch >counts 2>refused || echo refused >refused`;

function gitReadings(mails: readonly Buffer[]): readonly GitReading[] {
	return runCases(
		mailScript,
		mails.map((mail) => ({ mail })),
	).map(({ status, file }) => {
		const text = (name: string): string => file(name)?.toString() ?? '';
		const info = new Map([...text('info').matchAll(/^(\w+): (.*)$/gm)].map(([, key = '', value = '']) => [key, value]));
		return {
			isRefused: status !== 0,
			author: info.get('Author') ?? '',
			address: info.get('Email') ?? '',
			subject: info.get('Subject') ?? '',
			message: text('message').replaceAll(/^\n+|\s+$/g, ''),
			patch: file('patch') ?? Buffer.alloc(0),
			counts: text('refused') === '' ? text('counts') : undefined,
		};
	});
}

/** The text of each mail by Python's `email`: its plain parts in order; `null` without any. */
const pythonScript = `
import email, email.policy, json, sys
out = []
for size in json.loads(sys.argv[1]):
    mail = email.message_from_bytes(sys.stdin.buffer.read(size), policy=email.policy.default)
    try:
        # A mail within a mail is a file to the product.
        def leaves(part):
            return [leaf for each in part.iter_parts() for leaf in leaves(each)] if part.get_content_maintype() == 'multipart' else [part]
        parts = [p for p in leaves(mail) if p.get_content_type() == 'text/plain' and p.get_content_disposition() != 'attachment']
        out.append(''.join(p.get_content() for p in parts) if parts else None)
    except Exception:
        out.append(None)
json.dump(out, sys.stdout)
`;

function pythonTexts(mails: readonly Buffer[]): readonly unknown[] {
	const sizes = JSON.stringify(mails.map(({ length }) => length));
	const printed = execFileSync('python3', ['-c', pythonScript, sizes], {
		input: Buffer.concat(mails),
		encoding: 'utf8',
		maxBuffer: 2 ** 30,
	});
	const texts: unknown = JSON.parse(printed);
	return Array.isArray(texts) ? texts : [];
}

const bare = (text: string): string => text.replaceAll(/\s+/g, '');
const shownDiff = (text: string): string => {
	const { start, end } = parseDiff(text);
	return text.slice(start, end);
};

/** Problems that do not affect reading the mail. */
const besides: ReadonlySet<string> = new Set(['missingParts', 'repeatedPart', 'wrongOrder', 'wrongPrefix']);

type Read = Extract<MailReading, { readonly kind: 'read' }>;

/** All problems, cautions and doubts that the product reports about a mail. */
function saidOf(reading: Read): readonly unknown[] {
	const { subject, cautions, doubts } = reading.mail;
	const mail = { id: 1, messageId: '<a@b>', parentId: undefined, createdMs: 0, subject, account: undefined, reading };
	const kinds = [...readSeries([mail]).problems, ...cautions].map(({ kind }) => kind);
	return [...kinds.filter((kind) => !besides.has(kind)), ...doubts];
}

/** Python shows bytes of unknown charsets as U+FFFD; `body` keeps the line breaks of format=flowed. */
function isOtherText({ body }: ReadableMail, python: unknown): boolean {
	return typeof python === 'string' && !python.includes('\uFFFD') && !bare(body).includes(bare(python));
}

/** Parts of a patch that git reads differently. */
function otherParts(ours: PatchMail, git: GitReading): readonly string[] {
	const { name = '', address = '' } = ours.author ?? {};
	const diff = ours.diffText.slice(ours.diff.start, ours.diff.end);
	const pairs: readonly (readonly [string, string, string])[] = [
		['author', name === '' ? address : name, git.author === '' ? git.address : git.author],
		['address', address, git.address],
		['subject', bare(ours.subject), bare(git.subject)],
		['message', ours.message.trim(), git.message],
		// Git leaves the bytes of a diff unchanged, in any charset.
		[
			'diff',
			diff,
			[git.patch.toString(), git.patch.toString('latin1')].map(shownDiff).find((each) => each === diff) ?? '',
		],
	];
	return pairs.filter(([, one, two]) => one !== two).map(([part]) => part);
}

/**
 * The difference between the product's reading of a mail and git's, or Python's if git finds no diff; `undefined`
 * without one.
 */
function mailDifference(
	{ mail }: Read,
	ours: PatchMail | undefined,
	git: GitReading,
	python: unknown,
): string | undefined {
	const isDiffToGit = !git.isRefused && (git.counts ?? '') !== '';
	if (ours === undefined || ours.diff.files.length === 0) {
		return isDiffToGit
			? 'git finds a diff, and none is shown'
			: isOtherText(mail, python)
				? 'another text than Python reads'
				: undefined;
	}
	if (git.isRefused || git.counts === undefined) {
		return git.isRefused ? 'git refuses the mail' : 'git refuses the diff';
	}
	const other = otherParts(ours, git);
	return other.length === 0 ? undefined : `another ${other.join(', ')} than git reads`;
}

async function mailVerdict(bytes: Buffer, git: GitReading, python: unknown): Promise<Verdict> {
	const reading = await readMail(mailText(bytes), { evenIfLarge: true });
	if (reading.kind === 'raw') {
		return ['told', `shown raw: ${reading.reason}`];
	}
	const difference = mailDifference(reading, patchMailOf(reading, reading.mail.subject), git, python);
	if (difference === undefined) {
		return equal;
	}
	const said = saidOf(reading);
	return said.length > 0 ? ['told', `${difference} (${JSON.stringify(said)})`] : ['silent', difference];
}

function diffVerdict(bytes: Buffer, counts: string | undefined): Verdict {
	const text = bytes.toString();
	// Git counts no lines of combined diffs.
	const files = parseDiff(text).files.filter(({ content }) => content.kind !== 'combined');
	const damage: string[] = files.flatMap((file) => file.damage.map(({ kind }) => kind));
	damage.push(...(parseDiff(text).isBare ? ['noPrefix'] : []));
	const ours = files
		.map(({ added, removed, newPath, oldPath }) => `${added}\t${removed}\t${newPath ?? oldPath}`)
		.toSorted();
	const gits = (counts ?? '')
		.split('\n')
		.filter((line) => line !== '')
		.toSorted();
	if (counts === undefined) {
		return files.length > 0 && damage.length === 0 ? ['silent', 'git refuses the diff'] : ['told', damage.join(', ')];
	}
	const isSame = ours.length === gits.length;
	return isSame
		? equal
		: damage.length > 0
			? ['told', damage.join(', ')]
			: ['silent', `${ours.length} files, git has ${gits.length}`];
}

function jsonVerdict(bytes: Buffer): Verdict {
	const answer = jsonAnswerer();
	const first = answer({ kind: 'parse', body: bytes });
	let truth: unknown;
	try {
		truth = JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		return first.kind === 'noJson' || first.kind === 'tooMuch' ? equal : ['silent', 'JSON.parse refuses it'];
	}
	if (first.kind === 'tooMuch') {
		return ['told', 'too much'];
	}
	if (first.kind !== 'around') {
		return ['silent', 'JSON.parse reads it'];
	}
	const items: unknown[] = [];
	for (let next = answer({ kind: 'next' }); next.kind === 'items'; next = answer({ kind: 'next' })) {
		items.push(...next.items);
	}
	const isList = Array.isArray(truth);
	return isDeepStrictEqual(isList ? items : first.value, truth) || (!isList && items.length > 0)
		? equal
		: ['silent', 'another value'];
}

const renderer = markdownRenderer({ image: 'image', taskDone: 'done', taskOpen: 'open' });
/** Allowed tags and attributes of rendered Markdown. */
const allowed =
	/^<(?:\/?(?:p|em|strong|s|del|code|pre|blockquote|ul|ol|li|h[1-6]|table|thead|tbody|tr|th|td|a|span|br|hr|input|div|label)\b)(?:\s+(?:href|title|class|start|data-[\w-]+|style|type|tabindex|disabled|checked|aria-[\w-]+|role|rel|translate)(?:="[^"]*")?)*\s*\/?>$/;

function markdownVerdict(text: string): Verdict {
	const html = renderer.render(text, {
		base: 'https://forge.example/~a/b',
		web: { address: () => undefined },
		tracker: { owner: '~a', name: 'b' },
	});
	const bad = [...html.matchAll(/<[^>]*>/g)].find(
		([tag]) => !allowed.test(tag) || /(?:href|style)="\s*(?:javascript|data|vbscript|expression)/i.test(tag),
	);
	return bad === undefined ? equal : ['silent', `the tag ${bad[0]}`];
}

const [, , folder = ''] = process.argv;
const all = [...casesIn(folder)];
const tally = new Map<string, Record<Outcome | 'inputs', number>>();
const notes: string[] = [];

async function judged(each: ForeignCase, verdictOf: () => Verdict | Promise<Verdict>): Promise<void> {
	const started = process.cpuUsage();
	let [outcome, why]: Verdict = equal;
	try {
		[outcome, why] = await verdictOf();
	} catch (error) {
		[outcome, why] = ['crash', String(error)];
	}
	const cpuMs = process.cpuUsage(started).user / 1000;
	const size = each.kind === 'markdown' ? each.text.length : each.bytes.length;
	if (cpuMs > slowCpuMs * (1 + Math.floor(size / halfMegabyte)) && outcome !== 'crash') {
		[outcome, why] = ['slow', `${Math.round(cpuMs)} ms`];
	}
	const key = `${each.collection} | ${each.kind}`;
	const row = tally.get(key) ?? { inputs: 0, equal: 0, told: 0, silent: 0, crash: 0, slow: 0 };
	row.inputs += 1;
	row[outcome] += 1;
	tally.set(key, row);
	if (outcome !== 'equal') {
		notes.push(`${outcome}\t${each.collection}\t${each.kind}\t${each.name}\t${why}`);
	}
}

for (let from = 0; from < all.length; from += perBatch) {
	const batch = all.slice(from, from + perBatch);
	const mails = batch.flatMap((each) => (each.kind === 'mail' ? [each.bytes] : []));
	const git = gitReadings(mails).values();
	const python = pythonTexts(mails).values();
	const diffs = batch.flatMap((each) => (each.kind === 'diff' ? [{ patch: each.bytes }] : []));
	const counts = runCases('git apply --numstat --allow-empty patch', diffs).values();
	for (const each of batch) {
		switch (each.kind) {
			case 'mail': {
				const reading = git.next().value;
				const text = python.next().value;
				await judged(each, () => (reading ? mailVerdict(each.bytes, reading, text) : equal));
				break;
			}
			case 'diff': {
				const counted = counts.next().value;
				await judged(each, () =>
					diffVerdict(each.bytes, counted?.status === 0 ? counted.stdout.toString() : undefined),
				);
				break;
			}
			case 'json':
				await judged(each, () => jsonVerdict(each.bytes));
				break;
			case 'markdown':
				await judged(each, () => markdownVerdict(each.text));
				break;
		}
	}
}

const results = join(import.meta.dirname, '../../test-results');
mkdirSync(results, { recursive: true });
writeFileSync(join(results, 'foreign.tsv'), `${notes.toSorted().join('\n')}\n`);
const head = ['collection', 'kind', 'inputs', 'equal', 'different, said', 'different, silent', 'crashes', 'slow'];
const rows = Array.from(tally, ([key, row]) => [
	...key.split(' | '),
	row.inputs,
	row.equal,
	row.told,
	row.silent,
	row.crash,
	row.slow,
]);
keepProofTable('Foreign collections', [head, ...rows]);
console.table(rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]]))));
console.log(`${all.length} inputs; differences are in test-results/foreign.tsv`);
process.exitCode = notes.some((note) => /^(?:silent|crash|slow)/.test(note)) ? 1 : 0;
