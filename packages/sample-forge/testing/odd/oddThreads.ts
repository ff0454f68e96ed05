import type { ThreadPlan } from '../../src/worlds/lists/tellMail.ts';

/** Subjects that broke other programs. Pages must show them as text. */
const oddSubjects: readonly string[] = [
	'<img src=x onerror=alert(1)> in a subject & "quotes"',
	'**bold** _and_ `code` [link](javascript:alert(1)) $(bug)',
	'日本語の件名と絵文字 👩‍👩‍👧‍👦 🇨🇭',
	'مشكلة \u2067في الموضوع\u2069 and \u202Eevil.txt\u202C',
	`A subject without an end ${'and another word '.repeat(40)}`,
	'Re: Re: Re: [PATCH lantern] not a patch at all',
	'[PATCH lantern 1/0] a count that makes no sense',
	'[PATCH lantern 0/99999] a cover letter of nothing',
	'%s %d {0} ${HOME} \\n ../../etc/passwd',
	'a\u200Bb\u200Dc zero width \u00ADsoft',
	'[]',
	'(no subject)',
];

/** Discussions with these subjects. */
export const oddThreads = oddSubjects.map((subject, at): ThreadPlan => ({
	list: 'lantern-users',
	who: (['visitor', 'misaki', 'sam', 'frank'] as const)[at % 4] ?? 'visitor',
	day: 800 + at * 7,
	subject,
	text: 'The subject says it all.\n\n<script>alert("body")</script>\n[a link](command:workbench.action.quit)\nhttps://lantern.example/?a=1&b=2\n\n> From the beginning of a quoted line\n.a line with a dot',
	answers: [],
}));
