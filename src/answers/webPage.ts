import type { HttpAnswer } from '../http/httpClient.ts';

/** True for pages made for people. */
export function isWebPage({ contentType }: Pick<HttpAnswer, 'contentType'>): boolean {
	return /^\s*(?:text\/html|application\/xhtml)/i.test(contentType);
}
