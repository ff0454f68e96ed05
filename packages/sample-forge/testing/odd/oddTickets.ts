import type { OddTickets } from '../worlds/tickets/ticketWorld.ts';

/** Tickets with titles and texts that broke other programs. Pages must show them as text. */
export const oddTickets: OddTickets = [
	[
		'<script>alert("title")</script> is shown as text, please keep it so',
		'And `<img src=x onerror=alert(1)>` too:\n\n<img src=x onerror=alert(1)>\n\n<b>not bold</b>',
	],
	[
		'**Bold** _and_ `code` [link](javascript:alert(1)) in a title',
		'The title is not Markdown. This is: [a bad link](javascript:alert(1)), [a good one](https://lantern.example/?a=1&b=2), <https://lantern.example/>.',
	],
	[
		'$(command:workbench.action.quit) $(bug) in a title',
		'Some programs turn `$(name)` into a picture: $(bug) $(sync~spin). [run](command:workbench.action.quit)',
	],
	[
		'日本語の行が折り返されない',
		'全角文字を含む行が正しく折り返されません。\n\n例: `あいうえおかきくけこさしすせそたちつてと`',
	],
	[
		'مشكلة في اتجاه النص \u2067عند الحفظ\u2069',
		'Right-to-left text next to left-to-right text: \u202Eevil.txt\u202C stays where it is.',
	],
	['Emoji with joiners 👩‍👩‍👧‍👦 and flags 🇨🇭 take the wrong width', 'Skin tones too: 👍🏽 👍🏿. Zero width: a\u200Bb\u200Dc.'],
	['Z̸a̷l̴g̵o̶ t̷e̵x̴t̸ overflows the gutter', 'It should be cut at one line.'],
	['A title that was pasted with its\nline break', 'The break was kept by the server.'],
	['x'.repeat(400), 'A title of four hundred letters without a space.'],
	['No description', ''],
	[
		'100% CPU & "quotes" \'everywhere\' <&> %s %d {0} ${HOME} \\n',
		'Percent signs, braces and backslashes: %s %n {0} ${HOME} \\n `\\`',
	],
	[
		'Deeply nested lists and quotes',
		`${Array.from({ length: 40 }, (_, depth) => `${'> '.repeat(depth + 1)}level ${depth + 1}`).join('\n')}\n\n${Array.from({ length: 20 }, (_, depth) => `${'  '.repeat(depth)}- item ${depth + 1}`).join('\n')}`,
	],
	[
		'A very long log',
		`The whole log:\n\n\`\`\`\n${Array.from({ length: 220 }, (_, n) => `${String(n).padStart(4, '0')} redraw: line ${n * 3} column ${(n * 7) % 80} took ${(n * 13) % 40} ms`).join('\n')}\n\`\`\``,
	],
	[
		'../../etc/passwd and C:\\Windows\\System32',
		'Paths: `../../etc/passwd`, `file:///etc/passwd`, [open](file:///etc/passwd), [data](data:text/html,<script>alert(1)</script>).',
	],
	[
		'Remote picture in a description',
		'A picture that a reader may not want to load:\n\n![tracking](https://tracker.example/pixel.gif)\n\nand a local one: ![bad](vscode://settings/x)',
	],
];
