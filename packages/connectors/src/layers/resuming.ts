import type { Body } from '../core/connector.ts';
import { ConnectorError, isKind } from '../core/error.ts';

/**
 * Whether the rest of the file can be distinguished from that of another one: by a strong tag (RFC 9110, section 8.8.3), or by size and
 * time.
 */
export const canBeResumed = ({ entry: { etag, modified, size } }: Body): boolean =>
  (etag !== undefined && !etag.startsWith('W/')) || (size !== undefined && modified !== undefined);

/** The error of a download that was paused so that others can use its connection. */
export const pausedError = (cause?: unknown): ConnectorError =>
  new ConnectorError('interrupted', 'paused for others', { ...(cause !== undefined && { cause }), details: { paused: 'yes' } });

/** Whether a download was paused, which is no fault of the source. */
export const isPause = (error: unknown): boolean => isKind(error, 'interrupted') && error.details['paused'] === 'yes';
