import { type Program, quoted } from './steps.ts';

interface S3 {
  readonly endpoint: string;
  readonly bucket: string;
  readonly keyId: string;
}

/** The steps for S3; the secret key is put into the environment or a file by hand, so that it stays out of the shell's history. */
export function s3Programs({ endpoint, bucket, keyId }: S3): readonly Program[] {
  const keys = `export AWS_ACCESS_KEY_ID=${keyId}\nread -rs AWS_SECRET_ACCESS_KEY && export AWS_SECRET_ACCESS_KEY`;
  const secret = { text: 'Tell the shell the key; it then waits for the secret key:', command: keys };
  // Programs that cannot put a path before the bucket use the bucket of all links.
  const origin = endpoint.replace(/\/s3$/, '');
  const repository = quoted(`s3:${origin}/sheaf/${bucket}/restic`);
  const host = origin.replace(/^https?:\/\//, '');
  return [
    {
      id: 'restic',
      title: 'restic',
      steps: [
        secret,
        { text: 'Create the repository once, then back up:', command: `restic -r ${repository} init\nrestic -r ${repository} backup ~` },
        { text: 'Check regularly that it can be read:', command: `restic -r ${repository} check --read-data-subset 5%` },
      ],
    },
    {
      id: 'rclone',
      title: 'rclone',
      steps: [
        secret,
        {
          text: 'Create a remote named sheaf that reads the key from the environment:',
          command: `rclone config create sheaf s3 provider=Other env_auth=true endpoint=${quoted(endpoint)}`,
        },
        { text: 'Check that it works:', command: `rclone lsf sheaf:${bucket}` },
      ],
    },
    {
      id: 'aws',
      title: 'aws',
      steps: [
        secret,
        {
          text: 'Have the bucket written in the path, then use the endpoint with each command:',
          command: `aws configure set default.s3.addressing_style path\naws --endpoint-url ${quoted(endpoint)} s3 ls s3://${bucket}/`,
        },
      ],
    },
    {
      id: 's3cmd',
      title: 's3cmd',
      steps: [
        secret,
        {
          text: 's3cmd knows no path before the bucket: for it all links are folders in the bucket “sheaf”.',
          command: `s3cmd --host=${host} --host-bucket=${host}${endpoint.startsWith('https:') ? '' : ' --no-ssl'} ls s3://sheaf/${bucket}/`,
        },
      ],
    },
  ];
}
