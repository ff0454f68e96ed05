import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestMachine } from './localMachine.ts';

/** How a commit differs from its mails. */
export const mailedKinds = [
	'as mailed',
	'second version right',
	'versions in threads of their own',
	'line edited by the maintainer',
	'subject reworded',
	'subject reworded, and edited',
	'two patches as one',
	'linked, and edited',
	'sent by another person, and edited',
	'put into another folder',
	'never mailed',
] as const;
export type MailedKind = (typeof mailedKinds)[number];

/** A commit, with the right mails for its lines. */
export interface MailedCommit {
	readonly kind: MailedKind;
	readonly id: string;
	/** Message-ID in whose version a line took its form; `undefined` for a commit without mails. */
	readonly mailOf: (line: string) => string | undefined;
	/** False for lines that no mail has. */
	readonly isMailed: (line: string) => boolean;
}

export interface MailedRepository {
	readonly root: string;
	readonly head: string;
	/** By id. */
	readonly commits: ReadonlyMap<string, MailedCommit>;
	readonly paths: readonly string[];
	/** Raw mails: series, replies that quote them, and later copies for another branch. */
	readonly mails: readonly Buffer[];
}

const startS = Date.UTC(2026, 2, 1) / 1000;
const [fileCount, copyEvery] = [6, 4];

interface Version {
	/** Changed lines by path. */
	readonly files: Readonly<Record<string, string>>;
	readonly subject: string;
	readonly author: number;
	/** The author, unless another person mails the patch. */
	readonly sender?: number;
}

const nameOf = (author: number): string => `Author ${author} <author-${author}@dev.example>`;

/** A repository whose commits were mailed as series in several versions. `rounds`: commits of each kind. */
export function mailedRepository(machine: TestMachine, rounds: number): MailedRepository {
	const root = join(machine.folder, 'mailed');
	mkdirSync(join(root, 'src'), { recursive: true });
	const paths = Array.from({ length: fileCount }, (_, at) => `src/part-${at}.c`);
	const contents = new Map(paths.map((path, at) => [path, `/* Part ${at} */\n#include "part.h"\n\nint part_${at};\n`]));
	const mails: Buffer[] = [];
	const commits = new Map<string, MailedCommit>();
	let [atS, made] = [startS, 0];
	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trim();
	const write = (files: Readonly<Record<string, string>>): void =>
		Object.entries(files).forEach(([path, text]) => writeFileSync(join(root, path), text));
	git('init', '-q', '-b', 'main');
	write(Object.fromEntries(contents));
	machine.commitAll(root, 'Begin', '--date', `${startS} +0000`, '--author', 'Root <root@root.example>');

	function commit({ files, subject, author }: Version, trailers = ''): string {
		write(files);
		const name = nameOf(author);
		const body = `Explain ${subject} in a few words.\n\nSigned-off-by: ${name}${trailers}`;
		const lines = 'git add -A\nexport GIT_COMMITTER_DATE="$1"\nshift\ngit commit -q "$@"\ngit rev-parse HEAD';
		const said = ['-m', subject, '-m', body, '--date', `${atS} +0000`, '--author', name];
		return machine.script(root, lines, `${atS} +0000`, ...said).trim();
	}

	/** Mails commits as one version of a series, with its reviews, and takes them back. Returns the Message-IDs of its patches. */
	function send(versions: readonly Version[], version: number, parent: string | undefined): readonly string[] {
		const base = git('rev-parse', 'HEAD');
		const tag = version === 1 ? 'PATCH' : `PATCH v${version}`;
		made += 1;
		const stem = `${parent === undefined ? `thread-${made}` : threadOf(parent)}-series-${made}-v${version}`;
		const author = versions[0]?.sender ?? versions[0]?.author ?? 0;
		const cover = `<${stem}-0@dev.example>`;
		const mail = (id: string, subject: string, above: readonly string[], body: string, from = author): void => {
			atS += 60;
			const head = [
				`From: ${nameOf(from)}`,
				'To: devel@lists.example',
				`Subject: ${subject}`,
				`Date: ${new Date(atS * 1000).toUTCString().replace('GMT', '+0000')}`,
				`Message-ID: ${id}`,
				...(above.length === 0 ? [] : [`In-Reply-To: ${above.at(-1)}`, `References: ${above.join(' ')}`]),
			];
			mails.push(Buffer.from(`${head.join('\n')}\n\n${body}`));
		};
		const above = parent === undefined ? [] : [parent];
		mail(cover, `[${tag} 0/${versions.length}] Series ${stem}`, above, `A series.\n`);
		const ids = versions.map((each, at) => {
			const id = `<${stem}-${at + 1}@dev.example>`;
			commit(each);
			const patch = git('format-patch', '-1', '--stdout', '--no-signature');
			const body = patch.slice(patch.indexOf('\n\n') + 2);
			const subject = `[${tag} ${at + 1}/${versions.length}] ${each.subject}`;
			const from = each.sender === undefined ? '' : `From: ${nameOf(each.author)}\n\n`;
			mail(id, subject, [...above, cover], `${from}${body}\n-- \n2.45\n`);
			const quoted = body.split('\n').map((line) => `> ${line}`);
			mail(
				`<review-${stem}-${at}@dev.example>`,
				`Re: ${subject}`,
				[...above, cover, id],
				`${quoted.join('\n')}\n\nWhy?\n`,
				99,
			);
			return id;
		});
		git('reset', '-q', '--hard', base);
		return ids;
	}

	/** A block for the file, with lines that only it has, and some that all blocks have. */
	function block(name: string, word: string, lines = 7): string {
		const own = Array.from({ length: lines }, (_, at) => `\t${word}_${at} = compute(${name}, "${word} ${at}", ${at});`);
		return [`static int ${name}(int ${word})`, '{', ...own, '', '\treturn 0;', '}', ''].join('\n');
	}

	for (let round = 0; round < rounds; round++) {
		for (const [index, kind] of mailedKinds.entries()) {
			const number = round * mailedKinds.length + index;
			const path = paths[number % fileCount] ?? '';
			const before = contents.get(path) ?? '';
			const author = number % 7;
			const name = `handle_${number}`;
			atS += 86_400;
			const after = (text: string): Version => ({
				files: { [path]: `${before}\n${text}` },
				subject: `part-${number % fileCount}: handle case number ${number}`,
				author,
			});
			const right = block(name, `right${number}`);
			const wrong = right.replace(`right${number}_3 = compute`, `wrong${number}_3 = guess`);
			const edited = right.replace(`right${number}_5 = compute`, `edited${number}_5 = compute`);
			const isFormedLate = (line: string): boolean => line.includes(`right${number}_3 `);
			let final = after(right);
			let trailers = '';
			let mailOf: MailedCommit['mailOf'] = () => undefined;
			switch (kind) {
				case 'as mailed': {
					const [id] = send([final], 1, undefined);
					mailOf = () => id;
					break;
				}
				case 'second version right':
				case 'line edited by the maintainer':
				case 'subject reworded':
				case 'subject reworded, and edited':
				case 'linked, and edited': {
					const [first] = send([after(wrong)], 1, undefined);
					const [second = ''] = send([final], 2, first?.replace('-1@', '-0@'));
					mailOf = (line) => (isFormedLate(line) ? second : first);
					if (kind !== 'second version right' && kind !== 'subject reworded') {
						final = after(edited);
						// Nobody mailed it, so the patch that was edited is the nearest one.
						const inMail = mailOf;
						mailOf = (line) => (line.includes(`edited${number}_5`) ? second : inMail(line));
					}
					if (kind.startsWith('subject')) {
						final = { ...final, subject: `core: Treat what comes as number ${number} better` };
					}
					trailers = kind.startsWith('linked')
						? `\nLink: https://lore.example/devel/${second.slice(1, -1)}/`
						: '\nReviewed-by: M <m@m>';
					break;
				}
				case 'versions in threads of their own': {
					const [first] = send([after(wrong)], 1, undefined);
					const [second] = send([final], 2, undefined);
					send([{ ...final, files: { ...final.files, 'src/notes.txt': `Notes ${number}\n` } }], 3, undefined);
					final = { ...final, files: { ...final.files, 'src/notes.txt': `Notes ${number}\n` } };
					mailOf = (line) => (isFormedLate(line) ? second : first);
					break;
				}
				case 'two patches as one': {
					const other = block(`${name}_too`, `other${number}`);
					const both = after(`${right}\n${other}`);
					const [one, two] = send(
						[final, { ...both, subject: `part-${number % fileCount}: another case ${number}` }],
						1,
						undefined,
					);
					mailOf = (line) => (line.includes(`other${number}`) || line.includes('_too') ? two : one);
					final = both;
					break;
				}
				case 'sent by another person, and edited': {
					const [id] = send([{ ...final, sender: 50 }], 1, undefined);
					final = after(edited);
					mailOf = () => id;
					break;
				}
				case 'put into another folder': {
					const file = `extra-${number}.c`;
					const [id] = send([{ ...final, files: { [file]: right } }], 1, undefined);
					final = { ...final, files: { [`src/${file}`]: right } };
					paths.push(`src/${file}`);
					mailOf = () => id;
					break;
				}
				case 'never mailed':
					break;
			}
			atS += 3600;
			const id = commit(final, trailers);
			contents.set(path, final.files[path] ?? before);
			commits.set(id, { kind, id, mailOf, isMailed: (line) => !line.includes(`edited${number}_5`) });
			if (number % copyEvery === 0 && kind !== 'never mailed') {
				// The same change for an old branch, a month later.
				const ago = atS;
				atS += 30 * 86_400;
				const patch = git('format-patch', '-1', '--stdout', '--no-signature');
				const subject = `[PATCH 5.10 ${number}/900] ${final.subject}`;
				const date = new Date(atS * 1000).toUTCString().replace('GMT', '+0000');
				const head = `From: Stable <stable@dev.example>\nTo: devel@lists.example\nSubject: ${subject}\nDate: ${date}\nMessage-ID: <stable-${number}@dev.example>\n\nFrom: ${nameOf(author)}\n\n`;
				mails.push(Buffer.from(`${head}${patch.slice(patch.indexOf('\n\n') + 2)}\n-- \n2.45\n`));
				atS = ago;
			}
		}
	}
	return { root, head: git('rev-parse', 'HEAD'), commits, paths, mails };
}

/** The name of a mail's thread, from its Message-ID. */
export function threadOf(messageId: string): string {
	return /^<(?:review-)?(thread-\d+)-/.exec(messageId)?.[1] ?? messageId;
}
