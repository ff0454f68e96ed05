import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mailsIn, unquoted } from 'patchmail/mail/mailbox.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import { mailForGit } from 'patchmail/series/mailForGit.ts';
import { mailboxOf } from 'patchmail/series/mbox.ts';
import { readMailbox } from 'patchmail/files/readMailbox.ts';
import { postedSeries } from 'patchmail/series/postedSeries.ts';
import { trailersOfThread } from 'patchmail/series/threadTrailers.ts';
import { gitIn } from '../support/patchMakerGit.ts';
import { ratioFigure } from './figures.ts';
import { compare, type Contender } from './interleaved.ts';
import { keep } from './keep.ts';
import { manyPatches } from './manyPatches.ts';
import type { Figure, Size } from './measurement.ts';
import { mustStart, peerEnvironment, pythonPeer } from './peers.ts';

const sizes = {
	full: { mails: [10, 60], rounds: 21 },
	smallest: { mails: [4], rounds: 1 },
} as const;
const mostRatio = 0.2;

/** From a mailbox with a thread to the mailbox for `git am` with the trailers of the replies, against `b4 am`. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { mails, rounds } = sizes[size];
	const figures: Figure[] = [];
	for (const count of mails) {
		figures.push(...(await compared(count, rounds)));
	}
	return figures;
}

async function compared(count: number, rounds: number): Promise<readonly Figure[]> {
	await using owned = new AsyncDisposableStack();
	using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-thread-'));
	const folder = temporary.path;
	const mbox = threadOf(folder, count / 2);
	const [source, target] = [join(folder, 'thread.mbox'), join(folder, 'b4')];
	writeFileSync(source, mbox);
	mkdirSync(target);
	const env = peerEnvironment(folder);
	const shared = ['--no-interactive', '--offline-mode', '-c', 'b4.attestation-policy=off'];
	const args = [...shared, 'am', '-m', source, '-o', target, '-n', 'made', messageId(0)];
	mustStart('b4', 'b4', ['--version'], env);
	const program: Contender = {
		name: 'b4 am',
		run: async () => void execFileSync('b4', args, { env, stdio: 'pipe' }),
	};
	const library = await pythonPeer('b4', args, env, owned);
	await program.run();
	const ours = { name: 'ours', run: async () => keep(await forGit(mbox)) };
	const made = [await forGit(mbox), readFileSync(join(target, 'made.mbx'))];
	const [own, theirs] = made.map((box, at) => readByGit(folder, box, `read-${at}`));
	assert.deepEqual(own, theirs, 'git reads another series from the mailbox of b4');
	const whole = `Thread of ${count} mails to a mailbox for git am with its trailers, to b4 am`;
	return [
		ratioFigure(whole, mostRatio, await compare(ours, program, rounds)),
		ratioFigure(`${whole} without the start of Python`, mostRatio, await compare(ours, library.contender, rounds)),
	];
}

const reviewers = ['Bob Builder <bob@forge.test>', 'Carol Checker <carol@forge.test>'] as const;

/** A mailbox with patches, each answered by a reviewer's trailer below quoted lines. */
function threadOf(folder: string, count: number): Buffer {
	const { plain } = manyPatches(folder, count);
	const mails = plain.flatMap((mail, at) => {
		// b4 takes the indent off prose that looks like a diff.
		const patch = mail
			.toString('latin1')
			.replace('\n', `\nMessage-ID: <${messageId(at)}>\n${at === 0 ? '' : below(0)}`)
			.replace(/\n\n.*?\n---\n/s, '\n\nSay what it does.\n\nSigned-off-by: Author <author@forge.test>\n---\n');
		const quoted = patch
			.slice(patch.indexOf('\n\n') + 2)
			.split('\n', 20)
			.map((line) => `> ${line}`);
		const reviewer = reviewers[at % reviewers.length]!;
		const reply = [
			'From git@z Thu Jan  1 00:00:00 1970',
			`From: ${reviewer}`,
			`Subject: Re: ${/^Subject: (.*(?:\n .*)*)/m.exec(patch)?.[1]}`,
			`Date: ${new Date(1_700_000_000_000 + at * 60_000).toUTCString()}`,
			`Message-ID: <reply-${messageId(at)}>\n${below(at)}MIME-Version: 1.0`,
			'Content-Type: text/plain; charset=UTF-8',
			'Content-Transfer-Encoding: 8bit',
			'',
			...quoted,
			'',
			'Looks good.',
			'',
			`Reviewed-by: ${reviewer}`,
			'',
			'',
		];
		return [patch, reply.join('\n')];
	});
	return Buffer.from(mails.join(''), 'latin1');
}

function messageId(at: number): string {
	return `made-${at}@forge.test`;
}

function below(at: number): string {
	return `In-Reply-To: <${messageId(at)}>\nReferences: <${messageId(at)}>\n`;
}

async function forGit(mbox: Uint8Array): Promise<Uint8Array> {
	const mails = await readMailbox(mbox, new AbortController().signal);
	const envelopes = (mailsIn(mbox) ?? []).map((mail) => mailText(unquoted(mail)));
	const [posted] = postedSeries(mails);
	assert.ok(posted);
	const { series, thread } = posted;
	const given = trailersOfThread(thread, series).filter(({ isForOther, isInPatch }) => !isForOther && !isInPatch);
	return mailboxOf(
		series.patches.map(({ mail, index }) => {
			const trailers = given.filter(({ patchIndexes }) => patchIndexes.includes(index));
			const made = mailForGit(envelopes[mail.id - 1]!, { trailers, stripsReturns: false });
			return made ?? assert.fail(`no trailers fit into ${mail.subject}`);
		}),
	);
}

/** Each mail of a mailbox as git reads it: author, message and patch. */
function readByGit(folder: string, mailbox: Uint8Array, name: string): readonly string[] {
	const target = join(folder, name);
	mkdirSync(target);
	gitIn(target, ['mailsplit', '--keep-cr', '-o.'], Buffer.from(mailbox));
	return readdirSync(target).map((file) => {
		const facts = gitIn(target, ['mailinfo', 'message', 'patch'], readFileSync(join(target, file)));
		const [message, patch] = ['message', 'patch'].map((each) => readFileSync(join(target, each), 'utf8'));
		return [facts.toString(), message!, patch!].map((each) => each.trimEnd()).join('\n');
	});
}
