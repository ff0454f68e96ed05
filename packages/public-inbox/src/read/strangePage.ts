import { decodedText } from './htmlText.ts';

/** A page in place of an answer. */
export type StrangePage =
	/** A proxy wants proof of a browser. */
	| 'challenge'
	/** Any other page. */
	| 'foreign';

const signs = [
	/making sure you(?:'|&#39;|’)re not a bot/i,
	/\banubis[_-]/i,
	/\/\.within\.website\//i,
	/<title>just a moment/i,
	/\bcf[-_]chl\b|\bchallenge-platform\b/i,
	/checking (?:if the site connection is secure|your browser)/i,
	/enable javascript and cookies to continue/i,
	/ddos-guard|_incapsula_|px-captcha|g-recaptcha|h-captcha/i,
];

/** Pages of an archive begin with links to its help and its mirrors, whatever their status. */
const ownLinks = /href="?[^"<>\s]{0,300}_\/text\/(?:help|mirror|color)\//;
const startBytes = 64 * 1024;

/** Judges a page of HTML by its content, because a challenge has status 200, too. `undefined`: a page of an archive. */
export function strangePage(page: Uint8Array): StrangePage | undefined {
	const html = decodedText(page.subarray(0, startBytes));
	if (ownLinks.test(html)) {
		return undefined;
	}
	return signs.some((sign) => sign.test(html)) ? 'challenge' : 'foreign';
}

/** True if a body is HTML, whatever its type says. */
export function isHtml(contentType: string, start: Uint8Array): boolean {
	return (
		/^\s*(?:text\/html|application\/xhtml)/i.test(contentType) ||
		/^\s*<(?:!doctype html|html)\b/i.test(decodedText(start.subarray(0, 200)))
	);
}
