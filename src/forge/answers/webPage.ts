import type { HttpAnswer } from '../../machine/http/httpClient.ts';

/** True for HTML. */
export function isWebPage({ contentType }: Pick<HttpAnswer, 'contentType'>): boolean {
	return /^\s*(?:text\/html|application\/xhtml)/i.test(contentType);
}
