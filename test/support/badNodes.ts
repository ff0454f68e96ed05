/**
 * Nodes that no content may add to a page: unexpected elements and attributes, and links except to the web or a mail
 * address. Runs in the page, so it can't use outer variables.
 */
export function badNodes(): readonly string[] {
	const page = document.querySelector('#page') ?? document.body;
	const forbidden =
		'script,iframe,frame,object,embed,applet,form,meta,base,style,link,img,picture,image,video,audio,source,track,template,' +
		'math,foreignObject,animate,set,use,dialog,marquee,slot,portal,isindex,keygen,[is],[popover],[autofocus],[contenteditable]';
	const inMarkdown = new Set(
		(
			'a p br hr em strong s code pre ul ol li blockquote h3 table thead tbody tr th td span div b i ' +
			'del ins sub sup'
		).split(' '),
	);
	const attributesInMarkdown = new Set(['href', 'class', 'role', 'aria-label', 'tabindex', 'start', 'title', 'lang']);
	const isDirection = ({ name, value }: { readonly name: string; readonly value: string }): boolean =>
		name === 'dir' && (value === 'auto' || value === 'ltr');
	const dangerous =
		/^\s*(?:javascript|vbscript|command|vscode[\w-]*|data|file|blob|filesystem|view-source|ftp|ssh|untitled|forge[\w-]*):/i;
	const isBadLink = (value: string): boolean =>
		!/^(?:https?:\/\/[^/@\\]+(?:[/?#]|$)|mailto:[^?]+$)/i.test(value) || value.includes('\\');
	const isBad = ({ name, value }: Attr): boolean =>
		name.startsWith('on') ||
		['srcdoc', 'src', 'srcset', 'action', 'formaction', 'ping', 'background', 'nonce', 'xlink:href'].includes(name) ||
		(name === 'href' && isBadLink(value)) ||
		(name === 'style' && /url|image-set|expression|\\|position/i.test(value)) ||
		(!['title', 'aria-label', 'value', 'data-subject', 'class', 'data-key', 'placeholder'].includes(name) &&
			dangerous.test(value));
	const texts = Array.from(page.querySelectorAll('.markdown, .markdown *')).filter(
		(element) => !element.matches('.markdown'),
	);
	// User input in text boxes is harmless.
	const elements = Array.from(page.querySelectorAll('*')).filter((element) => !element.matches('textarea, input'));
	const hiddenTexts = elements
		.flatMap((element) => [
			...Array.from(element.childNodes, (node) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '')),
			...['title', 'aria-label', 'aria-description'].map((name) => element.getAttribute(name) ?? ''),
		])
		.filter((text) => /[\u00AD\u200B\u2028-\u202E\u2060-\u2069\u3164\uFEFF\uFFFC\u{E0000}-\u{E0FFF}]/u.test(text));
	return [
		...Array.from(page.querySelectorAll(forbidden), ({ outerHTML }) => outerHTML.slice(0, 300)),
		...Array.from(page.querySelectorAll('*')).flatMap((element) =>
			Array.from(element.attributes)
				.filter(isBad)
				.map(({ name, value }) => `${element.localName} ${name}=${value.slice(0, 300)}`),
		),
		...texts.filter(({ localName }) => !inMarkdown.has(localName)).map(({ outerHTML }) => outerHTML.slice(0, 300)),
		...texts.flatMap((element) =>
			Array.from(element.attributes)
				.filter(({ name, value }) => !attributesInMarkdown.has(name) && !isDirection({ name, value }))
				.map(({ name, value }) => `${element.localName} ${name}=${value.slice(0, 300)}`),
		),
		...hiddenTexts.map((text) => `hidden characters in ${text.slice(0, 300)}`),
		...(Reflect.get({}, 'polluted') === undefined ? [] : ['a prototype was changed']),
	];
}
