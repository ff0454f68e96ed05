import { join } from 'node:path';
import type { GitProgram } from '../../../src/git/gitProgram.ts';
import type { BaseFile, CommitPlan, FileChange, SeriesPlan } from './seriesPlan.ts';
import { type MadeSeries, readMailbox, sentAtS } from '../../../src/worlds/lists/tellMail.ts';
import type { Writer } from '../../../src/worlds/lists/letters.ts';

export interface PatchMakerParts {
	readonly git: GitProgram;
	/** An empty directory. */
	readonly directory: string;
	/** Begin of the world. */
	readonly startMs: number;
	readonly writer: (name: string) => Writer;
	/** The tree that a series begins with. */
	readonly baseOf: (series: SeriesPlan) => ReadonlyMap<string, BaseFile>;
}

/** The input of `git fast-import` for all series; the same plans give the same bytes. */
export function writeImport(
	plans: readonly SeriesPlan[],
	parts: Pick<PatchMakerParts, 'startMs' | 'writer' | 'baseOf'>,
): Buffer {
	const chunks: Buffer[] = [];
	for (const plan of plans) {
		const ref = `refs/heads/${plan.key}`;
		const files = new Map(parts.baseOf(plan));
		const author = parts.writer(plan.author);
		const baseTimeS = Math.floor(parts.startMs / 1000);
		const start = parts.writer('alice');
		const whole = { ref, by: start, timeS: baseTimeS, message: 'The state before\n', files, isFirst: true };
		writeCommit(chunks, whole, [...files.keys()]);
		for (const [at, commit] of plan.commits.entries()) {
			const changed = commit.changes.flatMap((change) => applyChange(files, change));
			const timeS = sentAtS(plan, parts.startMs) - 7200 + at * 600;
			const message = messageOf(commit);
			writeCommit(chunks, { ref, by: author, timeS, message, files, isFirst: false }, changed);
		}
	}
	chunks.push(Buffer.from('done\n'));
	return Buffer.concat(chunks);
}

/** Lets git write the repository and format every series. Takes one git process per series and one more. */
export async function makePatches(
	plans: readonly SeriesPlan[],
	imported: Buffer,
	parts: PatchMakerParts,
): Promise<Readonly<Record<string, MadeSeries>>> {
	const repository = join(parts.directory, 'patches.git');
	await parts.git.run(['init', '--quiet', '--bare', '--initial-branch=master', repository]);
	await parts.git.run(['-C', repository, 'fast-import', '--quiet', '--done', '--force'], { input: imported });
	const made: Record<string, MadeSeries> = {};
	const queue = plans.values();
	const work = async (): Promise<void> => {
		for (const plan of queue) {
			made[plan.key] = await format(plan, repository, parts);
		}
	};
	await Promise.all([work(), work(), work()]);
	return made;
}

async function format(plan: SeriesPlan, repository: string, parts: PatchMakerParts): Promise<MadeSeries> {
	const { name, email } = parts.writer(plan.sender ?? plan.author);
	const date = `${sentAtS(plan, parts.startMs)} +0000`;
	const count = plan.commits.length;
	const options = [
		`--subject-prefix=${plan.tag}`,
		...(plan.version === undefined ? [] : [`-v${plan.version}`]),
		...(plan.cover === undefined ? [] : ['--cover-letter']),
		...(plan.sender === undefined ? [] : [`--from=${name} <${email}>`]),
	];
	const settings = ['core.abbrev=7', 'diff.renames=true', 'diff.algorithm=myers', 'core.quotePath=true'];
	const output = await parts.git.run(
		[
			'-C',
			repository,
			...settings.flatMap((setting) => ['-c', setting]),
			'format-patch',
			'--stdout',
			'--no-color',
			'--binary',
			'--stat',
			'-M',
			'--signature=2.45.2',
			...options,
			'--end-of-options',
			`refs/heads/${plan.key}~${count}..refs/heads/${plan.key}`,
		],
		{ environment: { GIT_COMMITTER_NAME: name || 'visitor', GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date } },
	);
	const { mails, commits } = readMailbox(output);
	return { mails: mails.map((mail) => withCover(mail, plan)), commits };
}

function withCover(mail: string, { cover }: SeriesPlan): string {
	const [subject = '', text = ''] = [cover?.subject, cover?.text].map((each) =>
		Buffer.from(each ?? '').toString('latin1'),
	);
	return mail.replace('*** SUBJECT HERE ***', () => subject).replace('*** BLURB HERE ***', () => text);
}

interface ImportCommit {
	readonly ref: string;
	readonly by: Writer;
	readonly timeS: number;
	readonly message: string;
	readonly files: ReadonlyMap<string, BaseFile>;
	readonly isFirst: boolean;
}

/** Writes only the files at `changed`; deletes missing ones. */
function writeCommit(chunks: Buffer[], commit: ImportCommit, changed: readonly string[]): void {
	const { ref, by, timeS, message, files, isFirst } = commit;
	const signed = `${by.name || 'visitor'} <${by.email}> ${timeS} +0000`;
	const text = Buffer.from(message);
	const people = `author ${signed}\ncommitter ${signed}\n`;
	const head = `${isFirst ? `reset ${ref}\n` : ''}commit ${ref}\n${people}data ${text.length}\n`;
	chunks.push(Buffer.from(head), text, Buffer.from('\n'));
	for (const path of new Set(changed)) {
		const file = files.get(path);
		const quoted = quotePath(path);
		if (file === undefined) {
			chunks.push(Buffer.from(`D ${quoted}\n`));
		} else {
			const line = `M ${file.mode} inline ${quoted}\ndata ${file.content.length}\n`;
			chunks.push(Buffer.from(line), file.content, Buffer.from('\n'));
		}
	}
}

function quotePath(path: string): string {
	return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function messageOf({ subject, text }: CommitPlan): string {
	return text === '' ? `${subject}\n` : `${subject}\n\n${text}\n`;
}

/** Changes `files` in place and returns the paths. Throws if a change doesn't fit, which is a bug in the plans. */
function applyChange(files: Map<string, BaseFile>, change: FileChange): readonly string[] {
	const [kind, path] = change;
	const known = files.get(path);
	if (kind === 'add') {
		const [, , content] = change;
		files.set(path, { mode: '100644', content: Buffer.from(content) });
		return [path];
	}
	if (known === undefined) {
		throw new Error(`The sample patches know no file ${path}`);
	}
	switch (kind) {
		case 'edit': {
			const [, , find, replace] = change;
			files.set(path, { ...known, content: replaceOnce(path, known.content, { find, replace }) });
			return [path];
		}
		case 'drop': {
			files.delete(path);
			return [path];
		}
		case 'move': {
			files.delete(path);
			files.set(change[2], known);
			return [path, change[2]];
		}
		case 'mode': {
			files.set(path, { ...known, mode: change[2] });
			return [path];
		}
	}
}

function replaceOnce(
	path: string,
	content: Buffer,
	{ find, replace }: { readonly find: string; readonly replace: string },
): Buffer {
	const parted = content.toString('utf8').split(find);
	if (parted.length !== 2) {
		throw new Error(`${path} holds ${parted.length - 1} times: ${find}`);
	}
	return Buffer.from(parted.join(replace));
}
