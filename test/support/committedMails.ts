import { runCases } from './shellCases.ts';

/** A mail of a mailbox as `git am` commits it. */
export interface CommittedMail {
	/** With angle brackets. */
	readonly messageId: string;
	readonly author: string;
	readonly title: string;
	readonly dateMs: number;
	/** Without the title, and without blank lines at both ends. */
	readonly message: string;
	readonly diff: string;
}

// `-m` adds the Message-ID as the last line of the message.
const script = `for box in *.mbox; do
	mkdir "$box.mails"
	git mailsplit -d4 -o"$box.mails" "$box" >count
	for mail in "$box".mails/*; do
		[ -f "$mail" ] || continue
		git mailinfo -m --encoding=UTF-8 message patch <"$mail"
		printf '\\001'; cat message; printf '\\001'; cat patch; printf '\\002'
	done
	printf '\\003'
done`;

/** The mails of mailboxes, in order. */
export function committedMails(boxes: readonly Uint8Array[]): readonly (readonly CommittedMail[])[] {
	const width = String(boxes.length).length;
	const files = boxes.map((box, at) => [`${String(at).padStart(width, '0')}.mbox`, Buffer.from(box)] as const);
	const [result] = runCases(script, [Object.fromEntries(files)]);
	const all = result?.stdout.toString().split('\u0003').slice(0, -1) ?? [];
	return all.map((box) => box.split('\u0002').slice(0, -1).map(mailOf));
}

function mailOf(text: string): CommittedMail {
	const [info = '', message = '', patch = ''] = text.split('\u0001');
	const facts = new Map([...info.matchAll(/^(\w+): (.*)$/gm)].map(([, key = '', value = '']) => [key, value]));
	const diff = patch.slice(Math.max(0, patch.indexOf('diff --git ')));
	return {
		messageId: /^Message-I[Dd]: (.*)\n$/m.exec(message)?.[1] ?? '',
		author: `${facts.get('Author')} <${facts.get('Email')}>`,
		title: facts.get('Subject') ?? '',
		dateMs: Date.parse(facts.get('Date') ?? ''),
		message: message.replace(/Message-I[Dd]: .*\n$/, '').replaceAll(/^\n+|\n+$/g, ''),
		diff: diff.replace(/\n-- \n[^]*$/, '\n').trimEnd(),
	};
}
