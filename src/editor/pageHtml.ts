import { escapeHtml } from '../base/escapeHtml.ts';

export interface PageHtmlParts {
	readonly nonce: string;
	/** Source expression of the places from which styles, fonts and pictures may come. */
	readonly styleSource: string;
	/** Addresses. */
	readonly script: string;
	readonly styles: readonly string[];
	/** BCP 47 tag. */
	readonly language: string;
	readonly title: string;
	/** Plain JSON. */
	readonly subject: unknown;
}

/** The frame of every page: a strict policy, one script, and an empty body that the script fills. */
export function pageHtml(parts: PageHtmlParts): string {
	const { nonce, styleSource, script, styles, language, title, subject } = parts;
	const policy = [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		`style-src ${styleSource}`,
		`font-src ${styleSource}`,
		`img-src ${styleSource} data:`,
		"form-action 'none'",
		"base-uri 'none'",
		"require-trusted-types-for 'script'",
	].join('; ');
	const links = styles.map((style) => `<link rel="stylesheet" href="${escapeHtml(style)}">`).join('\n');
	return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${links}
</head>
<body>
<div id="page" data-subject="${escapeHtml(JSON.stringify(subject))}"></div>
<script nonce="${escapeHtml(nonce)}" src="${escapeHtml(script)}"></script>
</body>
</html>`;
}
