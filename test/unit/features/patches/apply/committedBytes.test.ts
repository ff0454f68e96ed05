import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hardenedGit, type HardenedGit } from 'hardened-git/hardenedGit.ts';
import { goOn } from 'hardened-git/applySeries.ts';
import { madeCommits } from 'hardened-git/applyState.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import { keptMail } from 'sample-forge/mail/message.ts';
import { applyHere } from '../../../../support/applyHere.ts';
import { createRandom, type Random } from '../../../../support/random.ts';
import { mailboxOf } from 'patchmail/series/mbox.ts';
import { mailForGit, quotedReturns } from 'patchmail/series/mailForGit.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { testMachine, type TestMachine } from '../../../../support/localMachine.ts';
import { testInBoth } from '../../../../support/parts.ts';
import { standFor } from '../../../../support/standFor.ts';
import { keepProofTable } from '../../../../support/proofTable.ts';

const { otherContents } = await import('../../../../../src/features/patches/apply/patchedFiles.ts');

const never = new AbortController().signal;
const perSeries = 75;

/** A word in a charset, one character per byte, and the charset that the mail declares. */
interface Word {
	readonly label: string | undefined;
	readonly bytes: string;
}

const words: readonly [Word, ...Word[]] = [
	{ label: 'utf-8', bytes: 'gr\xc3\xb6\xc3\x9fe' },
	{ label: undefined, bytes: 'gr\xc3\xb6\xc3\x9fe' },
	{ label: 'iso-8859-1', bytes: 'gr\xf6\xdfe' },
	{ label: 'koi8-r', bytes: '\xf0\xd2\xc9' },
	{ label: 'gbk', bytes: '\xbc\xdb\xb8\xf1' },
	{ label: 'shift_jis', bytes: '\x95\x5c\x8e\xa6' },
	{ label: 'iso-2022-jp', bytes: '\x1b$B2A3J\x1b(B' },
	{ label: 'us-ascii', bytes: 'larger' },
	{ label: undefined, bytes: 'gr\xf6\xdfe' },
];
const encodings = ['7bit', '8bit', 'quoted-printable', 'base64', 'parts'] as const;
const fileEnds = ['\n', '\r\n', 'mixed', 'none'] as const;

interface Case {
	readonly path: string;
	readonly word: Word;
	readonly encoding: (typeof encodings)[number];
	readonly fileEnd: (typeof fileEnds)[number];
	/** Line ends inside a transfer encoding. */
	readonly innerEnd: '\n' | '\r\n';
	/** Stored the way an older server does. */
	readonly isKept: boolean;
	readonly isNew: boolean;
	readonly trailers: Trailers;
}

type Trailers = Parameters<typeof mailForGit>[1]['trailers'];

const trailers: readonly [Trailers, ...Trailers[]] = [
	[],
	[{ key: 'Acked-by', value: 'Bob <bob@forge.test>' }],
	[{ key: 'Tested-by', value: 'Åsa Ö <asa@forge.test>' }],
];

function randomCase(random: Random, at: number): Case {
	return {
		path: `f${at}`,
		word: random.pick(words),
		encoding: random.pick(encodings),
		fileEnd: random.pick(fileEnds),
		innerEnd: random.pick(['\n', '\r\n']),
		isKept: random.chance(50),
		isNew: random.chance(30),
		trailers: random.pick(trailers),
	};
}

function latin1(text: string): Buffer {
	return Buffer.from(text, 'latin1');
}

function contentOf({ word, fileEnd }: Case, isBefore: boolean): string {
	const lines = ['one', 'two', isBefore ? 'three' : word.bytes, 'four', 'five', word.bytes, 'seven'];
	const end = (at: number): string =>
		fileEnd === 'mixed' ? (at % 2 === 0 ? '\r\n' : '\n') : fileEnd === 'none' ? '\n' : fileEnd;
	const text = lines.map((line, at) => line + end(at)).join('');
	return fileEnd === 'none' ? text.trimEnd() : text;
}

const inBase64 = (text: string): string => `${latin1(text).toString('base64').replaceAll(/.{76}/g, '$&\n')}\n`;
const inQuoted = (text: string): string =>
	text.replaceAll(
		/[^\n -<>-~]|[ \t](?=\n)/g,
		(sign) => `=${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
	);

/** The mail as the sender’s program writes it, one character per byte. */
function sentMail({ word, encoding, innerEnd }: Case, subject: string, diff: string): string {
	const text = `Why: ${word.bytes}.\n---\n\n${diff}-- \n2.39.5\n`;
	const inner = text.replaceAll('\n', innerEnd);
	const type = `Content-Type: text/plain${word.label === undefined ? '' : `; charset=${word.label}`}`;
	const head = `From: Eve <eve@forge.test>\nTo: list@forge.test\nSubject: ${subject}\nMIME-Version: 1.0\n`;
	switch (encoding) {
		case '7bit':
		case '8bit':
			return `${head}${type}\nContent-Transfer-Encoding: ${encoding}\n\n${text}`;
		case 'quoted-printable':
			return `${head}${type}\nContent-Transfer-Encoding: quoted-printable\n\n${inQuoted(inner)}`;
		case 'base64':
			return `${head}${type}\nContent-Transfer-Encoding: base64\n\n${inBase64(inner)}`;
		case 'parts': {
			const [letter, patch] = [inner.slice(0, inner.indexOf('---')), inner.slice(inner.indexOf('---'))];
			const part = (content: string): string =>
				`--b\n${type}\nContent-Transfer-Encoding: base64\n\n${inBase64(content)}`;
			return `${head}Content-Type: multipart/mixed; boundary=b\n\n${part(letter)}${part(patch)}--b--\n`;
		}
	}
}

/** The mail as a forge serves it: invalid UTF-8 as lone surrogates, lines with CRLF. */
function envelopeOf(mail: Buffer): string {
	const text = mail.toString('latin1').replaceAll(/\r\n|\r|\n/g, '\r\n');
	return text.replaceAll(/(?:[\xc2-\xdf][\x80-\xbf])+|[\x80-\xff]/g, (piece) =>
		piece.length > 1 ? latin1(piece).toString('utf8') : String.fromCharCode(0xdc00 + piece.charCodeAt(0)),
	);
}

const hostileSettings = [
	'[user]\n\tname = Alice\n\temail = alice@forge.test\n[core]\n\tautocrlf = false\n\tcommentChar = "%"',
	'[am]\n\tkeepcr = true\n\tmessageId = true\n[mailinfo]\n\tscissors = true\n\tquotedCr = strip',
	'[apply]\n\twhitespace = fix\n\tignoreWhitespace = change\n[i18n]\n\tlogOutputEncoding = UTF-16',
	'[diff]\n\torderFile = nowhere\n\tnoPrefix = true\n\tignoreSubmodules = all\n[color]\n\tui = always',
	'[log]\n\tdate = iso\n\tshowRoot = false\n[format]\n\tpretty = oneline\n[rerere]\n\tenabled = true\n',
];

suite('committed bytes of a series', function () {
	this.timeout(3_600_000);
	let machine: TestMachine;
	/** Git with settings that change mails, patches and logs. */
	let git: HardenedGit;

	setup(() => {
		machine = testMachine();
		const hostile = join(machine.folder, 'hostile.gitconfig');
		writeFileSync(hostile, hostileSettings.join('\n'));
		git = hardenedGit({
			...machine.parts,
			environment: { ...machine.parts.environment, GIT_CONFIG_GLOBAL: hostile },
		});
		writeFileSync(
			join(machine.home, '.gitconfig'),
			'[user]\n\tname = Alice\n\temail = alice@forge.test\n[core]\n\tautocrlf = false\n',
		);
	});
	teardown(() => machine.remove());

	/** Git’s diff of each case, and a clone with the files as before. */
	function clonedBefore(
		name: string,
		cases: readonly Case[],
	): { readonly root: string; readonly diffs: readonly string[] } {
		const root = join(machine.folder, name);
		machine.plain(machine.folder, 'init', '-q', '-b', 'main', name);
		writeFileSync(join(root, 'start'), '');
		const put = (isBefore: boolean): void =>
			cases
				.filter(({ isNew }) => !isNew || !isBefore)
				.forEach((each) => writeFileSync(join(root, each.path), latin1(contentOf(each, isBefore))));
		put(true);
		machine.commitAll(root, 'Before');
		put(false);
		machine.plain(root, 'add', '-A');
		const diff = machine.script(root, 'git diff --cached --full-index --binary >../all.diff; base64 -w0 ../all.diff');
		const text = Buffer.from(diff, 'base64').toString('latin1');
		machine.plain(root, 'reset', '-q', '--hard');
		const byPath = new Map(text.split(/^(?=diff --git )/m).map((each) => [/ b\/(\S+)/.exec(each)?.[1], each]));
		return { root, diffs: cases.map(({ path }) => byPath.get(path) ?? assert.fail(path)) };
	}

	type Outcome = 'same' | 'reported' | 'stopped';

	async function outcomes(name: string, cases: readonly Case[]): Promise<readonly Outcome[]> {
		const { root, diffs } = clonedBefore(name, cases);
		const patches: SeriesPatch[] = [];
		const mails: string[] = [];
		for (const [at, each] of cases.entries()) {
			const subject = `[PATCH ${at + 1}/${cases.length}] Change ${each.path}`;
			const sent = latin1(sentMail(each, subject, diffs[at] ?? ''));
			const envelope = envelopeOf(each.isKept ? keptMail(sent) : sent);
			const change = { trailers: each.trailers, stripsReturns: quotedReturns(envelope) === 'transport' };
			mails.push(mailForGit(envelope, change) ?? envelope);
			const patch = patchMailOf(await readMail(envelope, { evenIfLarge: true }), subject);
			assert.ok(patch, JSON.stringify(each));
			patches.push({ mail: standFor<SeriesPatch['mail']>({ id: at }), patch, index: at + 1 });
		}
		let outcome = await applyHere(git, { root, mailbox: mailboxOf(mails) });
		const before = machine.plain(root, 'rev-list', '--max-parents=0', 'HEAD').trim();
		while (outcome.kind === 'stopped') {
			const { state } = outcome;
			const own = { state, conflicts: state.conflicts, paths: cases.map(({ path }) => path) };
			outcome = await goOn(git, root, 'skip', own, never);
		}
		assert.equal(outcome.kind, 'applied', JSON.stringify(outcome));
		const commits = await madeCommits(
			git,
			root,
			{ from: before, to: machine.plain(root, 'rev-parse', 'HEAD').trim() },
			never,
		);
		const reported = new Set(otherContents(patches, commits));
		const written = new Map(commits.flatMap(({ files }) => files).map(({ path, after }) => [path, after]));
		const messages = new Map(
			machine
				.plain(root, 'log', '-z', '--format=%s%n%b', `${before}..`)
				.split('\0')
				.map((text) => [/^Change (\S+)/.exec(text)?.[1], text]),
		);
		return cases.map((each) => {
			const id = written.get(each.path);
			if (id === undefined) {
				return 'stopped';
			}
			const isSame = id === blobId(latin1(contentOf(each, false)));
			assert.ok(isSame || reported.has(each.path), `silently other bytes: ${JSON.stringify(each)}`);
			const lines = messages.get(each.path)?.trimEnd().split('\n') ?? [];
			assert.ok(
				each.trailers.every(({ key, value }) => lines.includes(`${key}: ${value}`)),
				JSON.stringify([each, lines]),
			);
			return isSame ? 'same' : 'reported';
		});
	}

	testInBoth(
		'have the stated blob ids wherever git applies, in every transfer encoding, line end and charset',
		async () => {
			const random = createRandom(seed() + 51);
			const count = counts({ least: 15, first: 15, small: 50, full: 4000 });
			const all: Record<Outcome, number> = { same: 0, reported: 0, stopped: 0 };
			for (let done = 0; done < count; done += perSeries) {
				const cases = Array.from({ length: Math.min(perSeries, count - done) }, (_, at) => randomCase(random, at));
				for (const [at, outcome] of (await outcomes(`clone${done}`, cases)).entries()) {
					all[outcome] += 1;
					const { encoding, fileEnd } = cases[at] ?? assert.fail();
					// The transport turns all unencoded line ends into CRLF.
					const isLost = encoding.endsWith('bit') && (fileEnd === '\r\n' || fileEnd === 'mixed');
					assert.ok(outcome === 'same' || isLost, JSON.stringify([outcome, cases[at]]));
				}
			}
			keepProofTable('Committed bytes in every encoding, line end and charset', [
				['mails', 'ids as stated', 'other ids, reported', 'refused by git'],
				[count, all.same, all.reported, all.stopped],
			]);
			assert.ok(all.same > count / 2, JSON.stringify(all));
		},
	);
});
