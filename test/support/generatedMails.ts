/** A mail as it travels, one character for each byte, with the facts that a test asks for. */
export interface GeneratedMail {
	readonly messageId: string;
	readonly subject: string;
	readonly sentMs: number;
	readonly parent: string | undefined;
	/** Message-ID of the thread's first mail. */
	readonly root: string;
	readonly bytes: Buffer;
}

const syllables = [
	'ba',
	'co',
	'de',
	'fi',
	'gu',
	'ha',
	'ji',
	'ka',
	'lo',
	'me',
	'nu',
	'or',
	'pa',
	'qui',
	're',
	'sta',
	'ti',
];
const endings = ['', 'n', 'r', 's', 't', 'ed', 'er', 'ing', 'lock', 'map'];
const folders = [
	'drivers/net',
	'drivers/gpu/drm',
	'fs/ext',
	'kernel/sched',
	'mm',
	'include/linux',
	'tools/perf',
	'arch/arm64',
];

/**
 * Mails like those of a busy list, always the same for one seed: series with covers, reviews that quote the patch, new
 * versions, trailers and discussions. Words follow Zipf's law, as in real text. About 4 KB each.
 */
export function* generatedMails(count: number, seed = 1): Generator<GeneratedMail, void, void> {
	const random = randomNumbers(seed);
	const below = (most: number): number => Math.floor(random() * most);
	const words = Array.from({ length: 30_000 }, (_, at) => wordOf(at));
	const word = (): string => words[Math.floor(words.length ** random()) - 1] ?? 'patch';
	const sentence = (length: number): string => Array.from({ length }, word).join(' ');
	const people = Array.from({ length: 1500 }, (_, at) => {
		const [first, last] = [wordOf(at * 7 + 300), wordOf(at * 13 + 900)];
		return { name: `${capital(first)} ${capital(last)}`, address: `${first}.${last}${at}@example${at % 40}.org` };
	});
	const hex = (digits: number): string =>
		Array.from({ length: Math.ceil(digits / 8) }, () =>
			below(2 ** 32)
				.toString(16)
				.padStart(8, '0'),
		)
			.join('')
			.slice(0, digits);
	let made = 0;
	let nowMs = Date.UTC(2019, 0, 1);

	function mail(
		from: { readonly name: string; readonly address: string },
		subject: string,
		parent: { readonly id: string; readonly references: readonly string[]; readonly root: string } | undefined,
		text: string,
	): GeneratedMail & { readonly references: readonly string[]; readonly id: string } {
		made += 1;
		nowMs += below(1_800_000);
		const id = `<2019${made}.${below(1_000_000)}-${made % 17}-${from.address}>`;
		const references = parent ? [...parent.references, parent.id].slice(-10) : [];
		const [to, cc] = [people[below(40)], people[below(people.length)]];
		const head = [
			`Received: from mail.example.org (mail.example.org [192.0.2.7])`,
			`\tby lists.example.org (Postfix) with ESMTPS id ${hex(12).toUpperCase()};`,
			`\t${dateOf(nowMs + 5000)}`,
			`From: ${from.name} <${from.address}>`,
			`To: ${to?.name} <${to?.address}>`,
			`Cc: ${cc?.name} <${cc?.address}>, devel@lists.example.org`,
			`Subject: ${subject}`,
			`Date: ${dateOf(nowMs)}`,
			`Message-ID: ${id}`,
			...(parent ? [`In-Reply-To: ${parent.id}`, `References: ${references.join('\n ')}`] : []),
			'X-Mailer: git-send-email 2.43.0',
			'MIME-Version: 1.0',
			'Content-Type: text/plain; charset=UTF-8',
			'Content-Transfer-Encoding: 8bit',
			'List-Id: <devel.lists.example.org>',
		];
		const bytes = Buffer.from(`${head.join('\n')}\n\n${text}`);
		return {
			messageId: id,
			id,
			subject,
			sentMs: nowMs,
			parent: parent?.id,
			root: parent?.root ?? id,
			references,
			bytes,
		};
	}

	const prose = (paragraphs: number): string =>
		Array.from({ length: paragraphs }, () =>
			Array.from({ length: 2 + below(4) }, () => sentence(9 + below(4))).join('\n'),
		).join('\n\n');

	function diff(): string {
		return Array.from({ length: 1 + below(3) }, () => {
			const path = `${folders[below(folders.length)]}/${word()}/${word()}.${below(3) === 0 ? 'h' : 'c'}`;
			const hunks = Array.from({ length: 1 + below(3) }, () => {
				const lines = Array.from(
					{ length: 3 + below(12) },
					() => `${'+- '.charAt(below(3))}\t${sentence(3 + below(5))};`,
				);
				const body = [
					` \t${sentence(4)};`,
					' ',
					` \t${sentence(3)} {`,
					`+\t${sentence(4)};`,
					...lines,
					' \t}',
					' ',
					' \treturn 0;',
				];
				const [old, fresh] = ['-', '+'].map(
					(sign) => body.filter((line) => line.startsWith(sign) || line.startsWith(' ')).length,
				);
				const at = 1 + below(2000);
				return [`@@ -${at},${old} +${at},${fresh} @@ static int ${word()}_${word()}(void)`, ...body].join('\n');
			});
			return [
				`diff --git a/${path} b/${path}`,
				`index ${hex(12)}..${hex(12)} 100644`,
				`--- a/${path}`,
				`+++ b/${path}`,
				...hunks,
			].join('\n');
		}).join('\n');
	}

	while (made < count) {
		const author = people[Math.floor(people.length ** random()) - 1] ?? people[0]!;
		const signed = `Signed-off-by: ${author.name} <${author.address}>`;
		if (below(4) === 0) {
			let last = mail(author, `${sentence(3 + below(4))}?`, undefined, `${prose(3)}\n`);
			yield last;
			for (let replies = below(8); replies > 0 && made < count; replies -= 1) {
				const quoted = last.bytes.toString().split('\n\n').slice(1).join('\n\n').split('\n').slice(0, 20);
				const text = `On ${dateOf(last.sentMs)}, somebody wrote:\n${quoted.map((line) => `> ${line}`).join('\n')}\n\n${prose(2)}\n`;
				last = mail(people[below(people.length)]!, `Re: ${last.subject.replace(/^Re: /, '')}`, last, text);
				yield last;
			}
			continue;
		}
		const [title, versions, patches] = [`${word()}: ${sentence(3 + below(4))}`, 1 + below(3), 1 + below(8)];
		const change = `2019-${hex(12)}`;
		let cover: ReturnType<typeof mail> | undefined;
		for (let version = 1; version <= versions && made < count; version += 1) {
			const tag = version === 1 ? 'PATCH' : `PATCH v${version}`;
			cover = mail(author, `[${tag} 0/${patches}] ${title}`, cover, `${prose(3)}\n\nchange-id: ${change}\n`);
			yield cover;
			for (let number = 1; number <= patches && made < count; number += 1) {
				const text = `${prose(2)}\n\n${signed}\n---\n 1 file changed\n\n${diff()}\n-- \n2.43.0\n\n`;
				const patch = mail(author, `[${tag} ${number}/${patches}] ${word()}: ${sentence(5)}`, cover, text);
				yield patch;
				let last = patch;
				for (let replies = below(3); replies > 0 && made < count; replies -= 1) {
					const quoted = text
						.split('\n')
						.slice(0, 30)
						.map((line) => `> ${line}`)
						.join('\n');
					const reviewer = people[below(200)]!;
					const answer = `On ${dateOf(last.sentMs)}, ${author.name} wrote:\n${quoted}\n\n${prose(1)}\n\nReviewed-by: ${reviewer.name} <${reviewer.address}>\n`;
					last = mail(reviewer, `Re: ${patch.subject}`, last, answer);
					yield last;
				}
			}
		}
	}
}

/** A mailbox of mails, quoted as mboxrd. */
export function mailboxOfMails(mails: Iterable<GeneratedMail>): Buffer {
	return Buffer.concat(Array.from(mails, ({ bytes }) => boxed(bytes)));
}

/** One mail as it is in a mailbox. */
export function boxed(bytes: Buffer): Buffer {
	const quoted = bytes.toString('latin1').replaceAll(/^(>*From )/gm, '>$1');
	return Buffer.from(
		`From mboxrd@z Thu Jan  1 00:00:00 1970\n${quoted}${quoted.endsWith('\n') ? '' : '\n'}\n`,
		'latin1',
	);
}

function wordOf(at: number): string {
	let [text, rest] = ['', at + 20];
	while (rest > 0) {
		text += syllables[rest % syllables.length] ?? '';
		rest = Math.floor(rest / syllables.length);
	}
	return `${text}${endings[at % endings.length]}`;
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

function dateOf(ms: number): string {
	return new Date(ms).toUTCString().replace('GMT', '+0000');
}

/** Mulberry32: the same numbers on every machine. */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
